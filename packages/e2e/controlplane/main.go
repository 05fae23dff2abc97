// Command controlplane holds the parts of a Kubernetes control plane that the end-to-end tests need, in one
// binary: its first argument names the part, the rest are that part's own flags.
package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
)

var parts = map[string]func() *cobra.Command{
	"kube-apiserver":          apiserver.NewAPIServerCommand,
	"kube-controller-manager": controllermanager.NewControllerManagerCommand,
	"kube-scheduler":          func() *cobra.Command { return scheduler.NewSchedulerCommand() },
}

func main() {
	if len(os.Args) < 2 {
		fail("no part is named")
	}
	// The parts read os.Args themselves, and expect their own name in front.
	part := os.Args[1]
	os.Args = os.Args[1:]
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
	fmt.Fprintf(os.Stderr, "controlplane: %s; use etcd, kube-apiserver, kube-controller-manager or kube-scheduler\n", reason)
	os.Exit(2)
}
