// What went wrong on the way to another server, in the words of Go's net, net/http and crypto/tls:
// kube-apiserver shows them to its clients.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/system/error_code.hpp>
#include <string>

namespace tabernetes::host {

// "dial tcp 127.0.0.1:1: connect: connection refused"
std::string dial_fault(const boost::asio::ip::tcp::endpoint& to,
                       const boost::system::error_code& error);

// "dial tcp: lookup nowhere.invalid: no such host"
std::string lookup_fault(const std::string& host);

// "127.0.0.1:40000->127.0.0.1:443"
std::string ends_of(const boost::asio::ip::tcp::socket& socket);

// Of a connection that stands, between these ends: what came while it shook hands, wrote, or read
// ahead of the body.
std::string connection_fault(const std::string& ends, const boost::system::error_code& error);

// The same inside of a body: "unexpected EOF".
std::string body_fault(const std::string& ends, const boost::system::error_code& error);

}  // namespace tabernetes::host
