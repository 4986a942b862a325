tab_module(controllers
  SOURCES
    access/bootstrap_tokens.cc
    access/certificate_approval.cc
    access/certificate_checks.cc
    access/certificate_request_cleaner.cc
    access/certificate_signing.cc
    access/legacy_token_cleaner.cc
    access/service_account_tokens.cc
    api/api_services.cc
    api/custom_definitions.cc
    api/custom_names.cc
    api/event_expiry.cc
    api/flow_schemas.cc
    api/legacy_token_tracking.cc
    api/policy_status.cc
    api/policy_type_check.cc
    api/role_aggregation.cc
    apps/daemon_node.cc
    apps/daemon_set.cc
    apps/daemon_set_sync.cc
    apps/deployment.cc
    apps/deployment_rollout.cc
    apps/deployment_sets.cc
    apps/deployment_status.cc
    apps/deployment_sync.cc
    apps/replica_set.cc
    apps/stateful_identity.cc
    apps/stateful_set.cc
    apps/stateful_set_sync.cc
    autoscaling/horizontal.cc
    autoscaling/replica_calculator.cc
    autoscaling/scale_limits.cc
    batch/cron_job_schedule.cc
    batch/cron_jobs.cc
    batch/index_set.cc
    batch/job_backoff.cc
    batch/job_conditions.cc
    batch/job_pods.cc
    batch/job_policies.cc
    batch/job_sync.cc
    batch/job_sync_pods.cc
    batch/job_sync_status.cc
    batch/jobs.cc
    batch/ttl_after_finished.cc
    devices/resource_claims.cc
    garbage/aggregated_garbage.cc
    garbage/garbage_collection.cc
    garbage/garbage_collector.cc
    garbage/owned_metadata.cc
    garbage/owner_index.cc
    garbage/owner_state.cc
    informers/informers.cc
    informers/pod_summary.cc
    kubelet/behaviour_reader.cc
    kubelet/behaviour_rules.cc
    kubelet/containers.cc
    kubelet/image_name.cc
    kubelet/kubelets.cc
    kubelet/life_end.cc
    kubelet/life_running.cc
    kubelet/life_start.cc
    kubelet/needed_objects.cc
    kubelet/node.cc
    kubelet/node_status.cc
    kubelet/pod_life.cc
    kubelet/pod_status.cc
    kubelet/registered_node.cc
    kubelet/stage_reader.cc
    kubelet/stage_step.cc
    kubelet/timing.cc
    kubelet/usage.cc
    loop/control_loop.cc
    loop/event_correlator.cc
    loop/work_queue.cc
    namespaces/aggregated_content.cc
    namespaces/namespace_basics.cc
    namespaces/namespace_conditions.cc
    namespaces/namespace_content.cc
    namespaces/namespace_deletion.cc
    network/endpoint_slice_mirroring.cc
    network/endpoint_slices.cc
    network/endpoint_subsets.cc
    network/endpoints.cc
    network/load_balancers.cc
    network/service_observer.cc
    network/slice_reconciler.cc
    network/topology_hints.cc
    nodes/node_ipam.cc
    nodes/node_lifecycle.cc
    nodes/node_taints.cc
    nodes/node_ttl.cc
    nodes/node_zones.cc
    nodes/pod_disruption.cc
    nodes/pod_garbage_collector.cc
    nodes/taint_eviction.cc
    policy/disruption.cc
    policy/expected_pods.cc
    quota/resource_quotas.cc
    run/control_loops.cc
    run/loop_table.cc
    scheduler/cache.cc
    scheduler/cluster_event.cc
    scheduler/cycle.cc
    scheduler/default_spread.cc
    scheduler/device_allocator.cc
    scheduler/device_pools.cc
    scheduler/device_result.cc
    scheduler/device_selector.cc
    scheduler/node_info.cc
    scheduler/node_selector.cc
    scheduler/pod_affinity.cc
    scheduler/pod_devices.cc
    scheduler/pod_info.cc
    scheduler/pod_record.cc
    scheduler/pod_selector.cc
    scheduler/pod_volumes.cc
    scheduler/pod_writes.cc
    scheduler/preemption.cc
    scheduler/resource_amounts.cc
    scheduler/scheduler.cc
    scheduler/scheduling_queue.cc
    scheduler/scores.cc
    scheduler/taints.cc
    scheduler/topology_spread.cc
    scheduler/verdict.cc
    shared/active_pods.cc
    shared/applied.cc
    shared/controller_history.cc
    shared/controller_ref.cc
    shared/event_recorder.cc
    shared/go_dump.cc
    shared/objects.cc
    shared/pod_control.cc
    shared/pod_owners.cc
    shared/template_hash.cc
    shared/workload.cc
    storage/attach_detach.cc
    storage/ephemeral_volumes.cc
    storage/persistent_volumes.cc
    storage/pod_claims.cc
    storage/protection.cc
    storage/provisioner.cc
    storage/volume_binding.cc
    storage/volume_expansion.cc
  ROOMS
    "informers:"  # what all loops know: pods, dependents by controller
    "loop: informers"  # what a control loop is: interface, work queue, event correlator
    "shared: informers loop"  # what loops share: events, pod control, owner references, hashes, conditions
    "access: loop shared"  # tokens of service accounts and of nodes that join
    "api: loop shared"  # of the API itself: definitions, APIServices, aggregated roles
    "apps: loop shared"  # Deployments, ReplicaSets, StatefulSets, DaemonSets
    "autoscaling: loop shared"  # autoscalers by what pods use
    "batch: informers loop shared"  # jobs and cron jobs
    "devices: loop shared"  # claims of devices
    "garbage: loop shared"  # the garbage collector
    "kubelet: loop shared"  # simulated nodes: kubelets, rules of behaviour
    "namespaces: loop shared"  # what a namespace begins with, and its deletion
    "network: loop shared"  # endpoints of services, addresses of load balancers
    "nodes: loop shared"  # health, taints and addresses of nodes, and the pods of bad ones
    "policy: loop shared"  # disruption budgets
    "quota: loop shared"  # what quotas have used
    "scheduler: loop"  # the scheduler
    "storage: loop shared"  # volumes and claims
    "run: access api apps autoscaling batch devices garbage kubelet loop namespaces network nodes policy quota scheduler storage"  # the table of all loops, and running them
  DEPS admission)
