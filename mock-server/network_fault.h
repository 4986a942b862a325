// Network errors in the words of Go's net, net/http and crypto/tls, which kube-apiserver shows to
// its clients.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/system/error_code.hpp>
#include <string>

namespace tabernetes::host {

// Returns "dial tcp 127.0.0.1:1: connect: connection refused".
std::string dial_fault(const boost::asio::ip::tcp::endpoint& to,
                       const boost::system::error_code& error);

// Returns "dial tcp: lookup nowhere.invalid: no such host".
std::string lookup_fault(const std::string& host);

// Returns "127.0.0.1:40000->127.0.0.1:443".
std::string ends_of(const boost::asio::ip::tcp::socket& socket);

// Returns the message for an error on an open connection before the body: during the handshake, the
// request or the head of the answer. `ends` is the text of ends_of().
std::string connection_fault(const std::string& ends, const boost::system::error_code& error);

// Returns the message for an error inside of a body: "unexpected EOF".
std::string body_fault(const std::string& ends, const boost::system::error_code& error);

}  // namespace tabernetes::host
