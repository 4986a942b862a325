// Requests to which rules of faults do something.
#include "server/front/api_server_impl.h"

namespace tabernetes {

// Answers a request while there are rules of faults.
void ApiServer::Impl::meet_faults(Request request, Reply reply) {
  const LiveObjects objects(cluster.store, LiveObjects::State::kSettled, past_states_made_);
  server::FaultSubject subject = server::fault_subject(
      settled_state(objects, *cluster.shown_resources(), *cluster.shown_authorizer()), request);
  const std::optional<server::FaultAct> act = cluster.faults.meet(subject);
  if (!act) return begin(std::move(request), std::move(reply), Tries());
  Tries tries{.fault = server::fault_text(*act, subject.verb)};
  if (act->delay_from == Duration{}) {
    return strike(std::move(request), std::move(reply), subject, *act, std::move(tries));
  }
  struct Delayed {
    Request request;
    Reply reply;
    server::FaultSubject subject;
    server::FaultAct act;
    Tries tries;
  };
  // It is in flight while it is delayed.
  tries.ticket = std::make_shared<server::Ticket>(cluster.limits);
  const bool waits = take_seat(request, tries);
  auto delayed = std::make_shared<Delayed>(
      Delayed{std::move(request), std::move(reply), std::move(subject), *act, tries});
  const auto delay = [this, delayed] {
    if (delayed->tries.ticket->state() == server::Ticket::State::kRefused) {
      return begin(std::move(delayed->request), std::move(delayed->reply), delayed->tries);
    }
    cluster.deadlines.add(cluster.now + delayed->act.delay_from, [this, delayed] {
      strike(std::move(delayed->request), std::move(delayed->reply), delayed->subject, delayed->act,
             delayed->tries);
    });
  };
  if (!waits) return delay();
  cluster.limits.when_ready(*tries.ticket, delay);
}

// Lets a request in at the limits. Returns whether it waits for that.
bool ApiServer::Impl::take_seat(const Request& request, const Tries& tries) {
  const LiveObjects objects(cluster.store, LiveObjects::State::kSettled, past_states_made_);
  const auto limits = cluster.limits.table(cluster.store);
  const auto resources = cluster.shown_resources();
  const auto authorizer = cluster.shown_authorizer();
  server::take_seat(
      {.server = *cluster.server,
       .resources = *resources,
       .objects = objects,
       .authorizer = *authorizer,
       .behaviour = *cluster.behaviour,
       .now = cluster.now,
       .limited = {limits.get(), &cluster.limits, tries.ticket.get(), &cluster.watches.census}},
      request);
  return tries.ticket->state() == server::Ticket::State::kWaits;
}

// Does to a request what a rule says, after its delay.
void ApiServer::Impl::strike(Request request, Reply reply, const server::FaultSubject& subject,
                             const server::FaultAct& act, Tries tries) {
  const auto log = [&](const Response& response) {
    cluster.requests->add(request, response, cluster.now, subject.user, tries.fault);
  };
  if (act.connection == server::ConnectionFault::kClose) {
    Response lost{.lost = true};
    log(lost);
    return reply(std::move(lost));
  }
  Reply spoil = spoiling(std::move(reply), subject, act);
  if (!act.status) return begin(std::move(request), std::move(spoil), std::move(tries));
  Response response = server::answer_error(request, server::Query(), *act.status);
  cluster.server->cors.add_headers(request, response);
  server::add_audit_id(request, *cluster.audit_ids, response);
  log(response);
  spoil(std::move(response));
}

// Returns a reply that does to the answer what a rule says.
Reply ApiServer::Impl::spoiling(Reply reply, const server::FaultSubject& subject,
                                const server::FaultAct& act) {
  using server::ConnectionFault;
  if (act.connection == ConnectionFault::kNone && !act.watch && !act.body) return reply;
  return [this, reply = std::move(reply), subject, act](Response response) {
    if (act.connection == ConnectionFault::kLose) return reply(Response{.lost = true});
    if (act.watch && subject.verb == "watch") {
      const LiveObjects objects(cluster.store, LiveObjects::State::kSettled, past_states_made_);
      server::spoil_watch(*act.watch,
                          server::gone_event(settled_state(objects, *cluster.shown_resources(),
                                                           *cluster.shown_authorizer()),
                                             subject, response),
                          response);
    }
    if (act.body && response.status != 101) server::spoil_body(*act.body, response);
    reply(std::move(response));
  };
}

}  // namespace tabernetes
