import { advanceTo, intervene, newCluster, nodeLifecycle, schedulerOf, builtInAdmission, type World, type Component } from "/tmp/wt-sim-scheduler/packages/sim/src/index.ts";
import { kubelets } from "/tmp/wt-sim-scheduler/packages/sim/src/kubelet/kubelet.ts";
const KEY="jobset.sigs.k8s.io/job-key", PRI="jobset.sigs.k8s.io/priority";
function terms(key){ const t=(e)=>({requiredDuringSchedulingIgnoredDuringExecution:[{topologyKey:"rack",namespaceSelector:{},labelSelector:{matchExpressions:e}}]});
 return {podAffinity:t([{key:KEY,operator:"In",values:[key]}]),podAntiAffinity:t([{key:KEY,operator:"Exists"},{key:KEY,operator:"NotIn",values:[key]},{key:PRI,operator:"In",values:["0"]}])}; }
function run(jobs:number, choice){
  const world: World={seed:1,components:[schedulerOf({choice}) as Component,nodeLifecycle as Component,kubelets() as Component],admission:builtInAdmission};
  const T={}; const mark=(n,f)=>{const s=process.cpuUsage();const r=f();T[n]=Math.round(process.cpuUsage(s).user/1000);return r};
  let c=newCluster(world);
  c=mark("nodes",()=>{ c=intervene(world,c,"user",p=>{ for(let j=0;j<jobs;j++) for(let i=0;i<15;i++) p.request({verb:"create",object:{kind:"Node",metadata:{name:`n-${j}-${i}`,labels:{rack:`r${j}`,"kubernetes.io/hostname":`n-${j}-${i}`,pool:"tpu"}},status:{allocatable:{cpu:"64",memory:"64Gi",pods:"110","google.com/tpu":"4"},conditions:[{type:"Ready",status:"True"}]}}}) }).cluster; return advanceTo(world,c,c.now+1000)});
  const pod=(j,i,spec)=>({kind:"Pod",metadata:{name:`p-${j}-${i}`,namespace:"ml",labels:{[KEY]:`k${j}`,[PRI]:"0","batch.kubernetes.io/job-name":`j${j}`,index:String(i)}},spec:{containers:[{name:"main",image:"x",resources:{requests:{cpu:"32","google.com/tpu":"4"}}}],...spec}});
  c=mark("createLeaders",()=>intervene(world,c,"user",p=>{ for(let j=0;j<jobs;j++) p.request({verb:"create",object:pod(j,0,{affinity:terms(`k${j}`),nodeSelector:{pool:"tpu"}})}) }).cluster);
  c=mark("leaders",()=>advanceTo(world,c,c.now+10));
  c=mark("createFollowers",()=>intervene(world,c,"user",p=>{ for(let j=0;j<jobs;j++){ const l=p.objects.get("Pod","ml",`p-${j}-0`) as any; const rack=(p.objects.get("Node","",l.spec.nodeName??"") as any)?.metadata.labels.rack; for(let i=1;i<15;i++) p.request({verb:"create",object:pod(j,i,{nodeSelector:{pool:"tpu",rack}})})} }).cluster);
  c=mark("followers",()=>advanceTo(world,c,c.now+10));
  c=mark("start",()=>advanceTo(world,c,c.now+2000));
  c=mark("failing10",()=>{ for(let f=0;f<60;f++){ c=intervene(world,c,"user",p=>{p.request({verb:"create",object:pod(jobs+f,0,{affinity:terms(`k${jobs+f}`),nodeSelector:{pool:"tpu"}})})}).cluster; c=advanceTo(world,c,c.now+10);} return c;});
  const bound=c.objects.ofKind<any>("Pod").filter(p=>p.spec.nodeName).length; const running=c.objects.ofKind<any>("Pod").filter(p=>p.status.phase==="Running").length;
  console.log(jobs,choice,"bound",bound,"running",running,"rev",c.revision,JSON.stringify(T), Math.round(process.memoryUsage().heapUsed/1e6)+"MB");
}

run(1000,"ByChance");
