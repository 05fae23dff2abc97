// Command controlplane holds the parts of a Kubernetes control plane that the end-to-end tests need, and kubectl, in
// one binary: its first argument names the part, the rest are that part's own flags. A link to it that bears the name
// of a part is that part.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	kubectl "k8s.io/kubectl/pkg/cmd"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
	"k8s.io/kubernetes/pkg/controller/job"
)

// The Job controller waits longer and longer, up to ten minutes, before it replaces a failed Pod or asks again for one
// that was refused. What it does is not touched, only how long it waits first: stories would mostly be about that.
func init() {
	job.DefaultJobPodFailureBackOff = time.Second
	job.MaxJobPodFailureBackOff = 5 * time.Second
	job.MaxJobApiBackOff = 5 * time.Second
}

var parts = map[string]func() *cobra.Command{
	"kube-apiserver":          apiserver.NewAPIServerCommand,
	"kube-controller-manager": controllermanager.NewControllerManagerCommand,
	"kube-scheduler":          func() *cobra.Command { return scheduler.NewSchedulerCommand() },
	"kubectl":                 kubectl.NewDefaultKubectlCommand,
}

func main() {
	part := filepath.Base(os.Args[0])
	if part != "etcd" && parts[part] == nil {
		if len(os.Args) < 2 {
			fail("no part is named")
		}
		// The parts read os.Args themselves, and expect their own name in front.
		part = os.Args[1]
		os.Args = os.Args[1:]
	}
	if part == "etcd" {
		etcdmain.Main(os.Args)
		return
	}
	newCommand, found := parts[part]
	if !found {
		fail(fmt.Sprintf("there is no part %q", part))
	}
	os.Exit(cli.Run(newCommand()))
}

func fail(reason string) {
	fmt.Fprintf(os.Stderr, "controlplane: %s; use etcd, kube-apiserver, kube-controller-manager, kube-scheduler or kubectl\n", reason)
	os.Exit(2)
}
