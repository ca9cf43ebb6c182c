# Institute behind Varnish: /etc/varnish/default.vcl
# Varnish speaks no TLS. hitch does in front of it (hitch.conf), and hands on who asks by the PROXY protocol, at the
# listener that is named "tls".

vcl 4.1;

backend institute {
  .host = "127.0.0.1";
  .port = "8080";
  # How long the program may think before it says anything.
  .first_byte_timeout = 120s;
}

sub vcl_recv {
  # What comes without TLS is sent to where there is some.
  if (local.socket != "tls") {
    return (synth(301, "https://institute.example.org" + req.url));
  }
  # What Prometheus reads is no page for everybody.
  if (req.url ~ "^/metrics(\?|$)") {
    return (synth(404));
  }
  # Who asks: by the connection, whatever the caller has written into these headers.
  set req.http.X-Forwarded-For = client.ip;
  set req.http.X-Forwarded-Proto = "https";
  unset req.http.X-Forwarded-Host;
  # A download waits for its reader, instead of filling the memory.
  if (req.method == "GET" && req.url ~ "^/(files|api/v1/server/backups)/") {
    return (pipe);
  }
  # Nothing is kept: a reply belongs to the one person who asked for it.
  return (pass);
}

sub vcl_pipe {
  # What comes next on this connection is looked at again.
  set bereq.http.Connection = "close";
}

sub vcl_backend_fetch {
  # A new connection for each request: one that the program has just closed would be answered with 503.
  set bereq.http.Connection = "close";
}

sub vcl_synth {
  if (resp.status == 301) {
    set resp.http.Location = resp.reason;
    set resp.reason = "Moved Permanently";
    return (deliver);
  }
}
