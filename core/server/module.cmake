tab_module(server
  SOURCES
    access/authentication.cc
    access/authorization.cc
    access/client_certificate.cc
    access/impersonation.cc
    aggregation/aggregated_api.cc
    aggregation/aggregated_discovery_parts.cc
    aggregation/aggregated_objects.cc
    aggregation/aggregated_apis.cc
    aggregation/aggregator.cc
    aggregation/loop_calls.cc
    aggregation/openapi_downloads.cc
    aggregation/proxies.cc
    audit/audit_event.cc
    audit/audit_policy.cc
    audit/audit_policy_reader.cc
    audit/audit_trail.cc
    audit/audited_objects.cc
    audit/auditing.cc
    audit/request_explanation.cc
    cluster/admission_plugins.cc
    cluster/api_service_objects.cc
    cluster/bootstrap.cc
    cluster/cluster.cc
    cluster/cluster_state.cc
    cluster/corrupt.cc
    cluster/document_object.cc
    cluster/flow_control_objects.cc
    cluster/leadership.cc
    cluster/node_port_range.cc
    cluster/load.cc
    cluster/named_files.cc
    cluster/loop_services.cc
    cluster/reconcile_roles.cc
    cluster/service_ips.cc
    cluster/snapshot_document.cc
    cluster/etcd_definition.cc
    cluster/etcd_form.cc
    cluster/stored_state.cc
    decode/body.cc
    decode/custom_body.cc
    decode/patch_document.cc
    decode/patched_object.cc
    decode/raw_body.cc
    decode/registered_kinds.cc
    decode/type_meta.cc
    discovery/aggregated_discovery.cc
    discovery/discovery.cc
    discovery/documents.cc
    discovery/health.cc
    discovery/index.cc
    discovery/metrics_page.cc
    discovery/openapi_endpoint.cc
    discovery/openid_endpoints.cc
    discovery/zpages.cc
    encode/answer.cc
    encode/fault.cc
    encode/list_framing.cc
    encode/object_encoder.cc
    encode/tables.cc
    encode/warnings.cc
    channels/container_asker.cc
    channels/exec_answer.cc
    channels/exec_session.cc
    channels/log_answer.cc
    channels/port_forward.cc
    channels/port_proxy.cc
    channels/spdy_exec.cc
    channels/upgrade.cc
    containers/asked_answers.cc
    containers/container_environment.cc
    containers/container_files.cc
    containers/container_log.cc
    containers/container_reader.cc
    containers/container_rules.cc
    containers/container_volumes.cc
    containers/container_world.cc
    containers/file_programs.cc
    containers/ports.cc
    containers/programs.cc
    containers/shell.cc
    containers/shell_expansion.cc
    containers/shell_language.cc
    containers/shell_typing.cc
    containers/tar.cc
    containers/text_programs.cc
    faults/fault_reader.cc
    faults/fault_text.cc
    faults/faults.cc
    faults/faulty_stream.cc
    front/admin.cc
    front/durable_answers.cc
    front/explain.cc
    front/fault_subject.cc
    front/faulty_requests.cc
    front/request_flow.cc
    front/request_log_page.cc
    front/limit_filter.cc
    front/api_server.cc
    front/commits.cc
    front/control_requests.cc
    front/custom_route.cc
    front/router.cc
    front/routes.cc
    front/timed_reply.cc
    front/view.cc
    http/body_limit.cc
    http/cors.cc
    http/prometheus_text.cc
    http/query.cc
    http/request_deadline.cc
    http/request_info.cc
    http/serve_content.cc
    http/version.cc
    http/websocket.cc
    limits/concurrency_shares.cc
    limits/flow_schemas.cc
    limits/limit_dumps.cc
    limits/limit_metrics.cc
    limits/measures.cc
    limits/priority_level.cc
    limits/priority_levels.cc
    limits/queue_set.cc
    limits/request_limits.cc
    limits/retry_after.cc
    limits/shuffle_dealer.cc
    limits/work_estimate.cc
    list/component_statuses.cc
    list/continue_token.cc
    list/list.cc
    list/list_body.cc
    list/list_page.cc
    list/resource_metrics.cc
    openapi/custom_documents.cc
    openapi/documents.cc
    openapi/swagger_conversion.cc
    openapi/swagger_merge.cc
    openapi/texts.cc
    pending/revision_waiters.cc
    pending/service_route.cc
    pending/webhook_calls.cc
    request/audit_ids.cc
    request/compression.cc
    request/encoding_cache.cc
    request/metric_resource_ids.cc
    request/negotiation.cc
    request/object_selector.cc
    request/options.cc
    request/readable.cc
    request/request_context.cc
    request/request_log.cc
    request/request_metrics.cc
    request/resource_version.cc
    request/shown_options.cc
    spdy/connection.cc
    spdy/frames.cc
    spdy/inflater.cc
    verbs/apply.cc
    verbs/audited_request.cc
    verbs/connect.cc
    verbs/connect_options.cc
    verbs/core_object.cc
    verbs/create.cc
    verbs/get.cc
    verbs/kubelet_documents.cc
    verbs/patch.cc
    verbs/pod_actions.cc
    verbs/remove.cc
    verbs/remove_unreadable.cc
    verbs/review.cc
    verbs/token_request.cc
    verbs/update.cc
    verbs/watch.cc
    verbs/written_answer.cc
    watch/watch_census.cc
    watch/watch_content.cc
    watch/watch_event.cc
    watch/watch_group.cc
    watch/watch_stream.cc
    watch/watches.cc
  ROOMS
    "http:"  # HTTP: targets, headers, preflights, ranges, WebSocket; independent of objects
    "openapi: http"  # OpenAPI documents, made on request
    "request: http openapi"  # the context of a request, its options, content negotiation
    "audit: http request"  # the audit log: its policy, and the events of a request
    "access: audit http request"  # authentication and authorization
    "decode: http request"  # bodies to objects
    "encode: request"  # objects to answers
    "list: encode request"  # pages of collections
    "pending:"  # requests that wait for a time, a version or a webhook
    "aggregation: encode openapi pending request"  # API servers behind this one
    "watch: encode pending request"
    "limits: http pending"  # requests in flight: priority levels, queues, seats
    "faults:"  # what goes wrong on purpose: rules, and answers that do
    "containers:"  # what is in simulated containers: rules, logs, files, commands, ports
    "cluster: aggregation audit containers encode faults http limits pending request watch"  # the state of a running cluster, and operations on all of it
    "spdy:"  # SPDY/3.1, which Kubernetes' clients speak to containers
    "channels: cluster containers http pending request spdy"  # what a client and a container send each other
    "discovery: aggregation cluster encode http limits openapi request"  # paths that do not name a resource
    "verbs: access audit channels cluster decode encode http list request watch"  # one file per verb
    "front: access aggregation audit cluster discovery encode faults http limits request verbs watch"  # ApiServer, View, the routes
  DEPS auth admission controllers
  LIBRARIES third_party::zlib_inflate)
# zlib with names of its own, as a host may link the system's.
set_source_files_properties(server/spdy/inflater.cc PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON
  COMPILE_DEFINITIONS Z_PREFIX INCLUDE_DIRECTORIES "${PROJECT_SOURCE_DIR}/build/third_party/zlib")
