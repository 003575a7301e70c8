# SPDX-License-Identifier: Apache-2.0
"""TCP of programs in virtual time that crosses the simulated network of a swarm (docs/cosim.md): GZ-15, GZ-17."""
import fcntl
import hashlib
import os
import struct
import subprocess
import tempfile
import threading

import pytest

from bus_client import ARRIVALS, END, NETWORK, RUN, SENDS, Participant
from names import assert_names
from node_programs import NodeCase
from swarm_case import needs_ns3

BUILTIN = '{kind: builtin, delay: 0.0123, range: 100}'
SHARED = '''
import os, socket, sys, time
begin, me = time.time(), os.environ['SWARM_ADDRESS']
def say(*what): print(me[-1], round(time.time() - begin, 6), *what, flush=True)
'''
PLAIN = {
    'n.1': '''
time.sleep(0.5)
s = socket.socket()
say(s.connect_ex(('10.0.0.2', 8)))
s = socket.create_connection(('10.0.0.2', 7))
say('connected', s.getsockname(), s.getpeername())
s.sendall(b'x' * 100000)
s.shutdown(socket.SHUT_WR)
say(s.recv(100), s.recv(100))
''',
    'n.2': '''
listener = socket.create_server(('', 7))
say(listener.getsockname())
s, who = listener.accept()
say('accepted', who, s.getsockname(), s.getpeername())
total = 0
while data := s.recv(65536):
    total += len(data)
say('got', total)
s.sendall(b'thanks')
'''}
ASYNC = {
    'n.1': '''
sys.modules['ssl'] = None  # which asyncio can do without
import asyncio
DATA = b''.join(bytes([k % 251]) * (1 + k % 1400) for k in range(400))
async def main():
    await asyncio.sleep(0.1)
    try:
        await asyncio.open_connection('10.0.0.3', 7000)
    except ConnectionRefusedError as error:
        say('refused', 'Connect call failed' in str(error))
    streams = [await asyncio.open_connection('10.0.0.2', 7000) for _ in range(3)]
    for k, (reader, writer) in enumerate(streams):
        writer.write(DATA[k:])
        writer.write_eof()
    for reader, writer in streams:
        await writer.drain()
        say((await reader.read()).decode(), writer.get_extra_info('peername'))
        writer.close()
        await writer.wait_closed()
asyncio.run(main())
''',
    'n.2': '''
sys.modules['ssl'] = None
import asyncio, hashlib
async def serve(reader, writer):
    data = await reader.read()
    writer.write(hashlib.sha256(data).hexdigest()[:16].encode())
    await writer.drain()
    writer.close()
    count.append(0)
    if len(count) == 3:
        done.set()
async def main():
    global done
    done = asyncio.Event()
    async with await asyncio.start_server(serve, '10.0.0.2', 7000):
        await done.wait()
        await asyncio.sleep(1)
count = []
asyncio.run(main())
'''}
# The same, by sockets that block.
LOSSY = {
    'n.1': '''
DATA = b''.join(bytes([k % 251]) * (1 + k % 1400) for k in range(400))
try:
    socket.create_connection(('10.0.0.3', 7000))
except ConnectionRefusedError as error:
    say('refused', 'refused' in str(error))
streams = [socket.create_connection(('10.0.0.2', 7000)) for _ in range(3)]
for k, s in enumerate(streams):
    s.sendall(DATA[k:])
    s.shutdown(socket.SHUT_WR)
for s in streams:
    say(s.recv(100).decode(), s.getpeername())
''',
    'n.2': '''
import hashlib
listener = socket.create_server(('', 7000))
for _ in range(3):
    s, data = listener.accept()[0], b''
    while part := s.recv(65536):
        data += part
    s.sendall(hashlib.sha256(data).hexdigest()[:16].encode())
'''}
C = r'''
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec - 3600 + t.tv_nsec * 1e-9; }
static struct sockaddr_in at(const char *host, int port)
{ struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(port)}; inet_pton(AF_INET, host, &a.sin_addr); return a; }
static int error_of(int fd) { int e = -1; socklen_t n = sizeof e; getsockopt(fd, SOL_SOCKET, SO_ERROR, &e, &n); return e; }
#define SAY(...) do { printf("%c %.6f ", getenv("SWARM_ADDRESS")[7], now()); printf(__VA_ARGS__); printf("\n"); fflush(stdout); } while (0)
static int opens(const char *host, int port)
{
    struct sockaddr_in a = at(host, port);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    int first = connect(fd, (struct sockaddr *)&a, sizeof a), e1 = errno;
    int second = connect(fd, (struct sockaddr *)&a, sizeof a), e2 = errno;
    char c;
    int peer = getpeername(fd, (struct sockaddr *)&a, &(socklen_t){sizeof a});
    int got = (int)recv(fd, &c, 1, 0), e3 = errno;
    SAY("%d %s, %d %s, peer %d, recv %d %s", first, e1 == EINPROGRESS ? "EINPROGRESS" : "?", second, e2 == EALREADY ? "EALREADY" : "?",
        peer, got, e3 == EAGAIN ? "EAGAIN" : "?");
    return fd;
}
static void client(void)
{
    usleep(100000);
    int fd = opens("10.0.0.2", 9); /* nobody */
    struct pollfd p = {fd, POLLIN | POLLOUT, 0};
    int n = poll(&p, 1, 20), m = poll(&p, 1, -1);
    int e = error_of(fd), later = error_of(fd);
    SAY("poll %d %d, err %d, %s, then %d", n, m, (p.revents & POLLERR) != 0, strerror(e), later);
    close(fd);
    fd = opens("10.0.0.2", 7);
    int ep = epoll_create1(0);
    struct epoll_event ev = {.events = EPOLLOUT, .data.fd = fd};
    epoll_ctl(ep, EPOLL_CTL_ADD, fd, &ev);
    n = epoll_wait(ep, &ev, 1, 20);
    m = epoll_wait(ep, &ev, 1, -1);
    struct sockaddr_in a = at("10.0.0.2", 7);
    SAY("epoll %d %d, error %d", n, m, error_of(fd));
    n = connect(fd, (struct sockaddr *)&a, sizeof a);
    SAY("again %d %s", n, errno == EISCONN ? "EISCONN" : "?");
    int one = 1;
    socklen_t size = sizeof one;
    setsockopt(fd, IPPROTO_TCP, 1, &one, sizeof one);
    getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &n, &size);
    getsockopt(fd, SOL_SOCKET, SO_TYPE, &m, &size);
    SAY("%s", n == AF_INET && m == SOCK_STREAM ? "a stream of IP" : "?");
    int child = dup(fd);
    size = sizeof a;
    getsockname(child, (struct sockaddr *)&a, &size);
    SAY("I am %s port %d", inet_ntoa(a.sin_addr), ntohs(a.sin_port));
    if (fork() == 0) { write(child, "from a child", 12); _exit(0); }
    wait(NULL);
    close(child);
    fd_set in;
    FD_ZERO(&in);
    FD_SET(fd, &in);
    struct timeval t = {5, 0};
    n = select(fd + 1, &in, NULL, NULL, &t);
    char text[100] = "";
    m = read(fd, text, sizeof text);
    SAY("select %d, %d bytes: %s", n, m, text);
    shutdown(fd, SHUT_WR);
    fcntl(fd, F_SETFL, 0);
    n = read(fd, text, sizeof text);
    SAY("end %d", n);
}
static void server(void)
{
    struct sockaddr_in a = at("0.0.0.0", 7);
    int l = socket(AF_INET, SOCK_STREAM, 0), second = socket(AF_INET, SOCK_STREAM, 0);
    bind(l, (struct sockaddr *)&a, sizeof a);
    listen(l, 1);
    int again = bind(second, (struct sockaddr *)&a, sizeof a);
    again = again == 0 ? listen(second, 1) : again;
    SAY("again %d %s", again, errno == EADDRINUSE ? "EADDRINUSE" : "?");
    struct pollfd p = {l, POLLIN, 0};
    poll(&p, 1, -1);
    socklen_t n = sizeof a;
    int fd = accept4(l, (struct sockaddr *)&a, &n, SOCK_CLOEXEC);
    SAY("accepted %s port %d", inet_ntoa(a.sin_addr), ntohs(a.sin_port));
    char text[100] = "";
    struct iovec part = {text, sizeof text};
    struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1};
    ssize_t got = recvmsg(fd, &m, 0);
    SAY("%zd bytes: %s", got, text);
    sendmsg(fd, &(struct msghdr){.msg_iov = &(struct iovec){"thanks", 6}, .msg_iovlen = 1}, 0);
    got = recv(fd, text, sizeof text, 0);
    SAY("end %zd", got);
}
static void datagrams(int first)
{
    struct sockaddr_in to = at("10.0.0.2", 7), any = at("0.0.0.0", 7), from[5];
    char text[5][8];
    struct iovec part[5];
    struct mmsghdr m[5] = {0};
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    for (int k = 0; k < 5; k++) {
        part[k] = (struct iovec){text[k], first ? (size_t)snprintf(text[k], 8, "%.*s", k + 1, "abcde") : 8};
        m[k].msg_hdr = (struct msghdr){.msg_iov = &part[k], .msg_iovlen = 1, .msg_name = first ? &to : &from[k], .msg_namelen = sizeof to};
    }
    if (first) {
        usleep(100000);
        int n = sendmmsg(fd, m, 5, 0);
        SAY("%d %u", n, m[4].msg_len);
    } else {
        bind(fd, (struct sockaddr *)&any, sizeof any);
        int n = recvmmsg(fd, m, 5, 0, NULL);
        SAY("%d %.2s %.5s %s", n, text[1], text[4], inet_ntoa(from[4].sin_addr));
    }
}
int main(int argc, char **argv)
{
    int first = strcmp(getenv("SWARM_ADDRESS"), "10.0.0.1") == 0;
    if (argc == 2 && strcmp(argv[1], "datagrams") == 0) datagrams(first);
    else if (first) client();
    else server();
    return 0;
}
'''


class Streams(NodeCase):
    @classmethod
    def setUpClass(cls):
        folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.program = os.path.join(folder, 'program')
        subprocess.run(['cc', '-D_GNU_SOURCE', '-x', 'c', '-o', cls.program, '-'], input=C, text=True, check=True)

    def run_it(self, network, programs, code=0):
        """What programs at nodes have printed, and the trace's digest."""
        self.begin(self.world(network, {node: self.python(node, SHARED + program) if '\n' in program else program
                                        for node, program in programs.items()}))
        out, self.errors = self.end(code)
        return self.said(out), hashlib.sha256(self.bytes('trace.txt')).hexdigest()

    def once(self, network, programs):
        return self.run_it(network, programs)[0]

    def twice(self, network, programs):
        first, second = self.run_it(network, programs), self.run_it(network, programs)
        self.assertEqual(first, second)
        return first[0]

    def simulate(self, path, change=lambda event: event):
        """A simulator of one's own: what is sent has arrived 12.3 ms later, as change() makes it."""
        network = Participant(path, role=4)
        network.until(NETWORK)
        network.done()
        waiting, kind = [], 0
        while kind != END:
            kind, payload = network.frame()
            if kind == SENDS:
                while payload:
                    sender, to, number, size = struct.unpack_from('<IIII', payload)
                    assert number >= 3 << 30
                    waiting.append((network.ns + 12_300_000, to, sender, number, change(payload[16:16 + size])))
                    payload = payload[16 + size:]
            elif kind == RUN:
                until, = struct.unpack('<Q', payload)
                now = min([until] + [packet[0] for packet in waiting])
                for packet in sorted(packet for packet in waiting if packet[0] == now):
                    waiting.remove(packet)
                    network.send(ARRIVALS, struct.pack('<QIIII', *packet[:4], len(packet[4])) + packet[4])
                network.done(now)
        network.socket.close()

    @pytest.mark.long
    def test_a_simulator_outside_carries_events(self):
        path = self.path('bus')
        thread = threading.Thread(target=self.simulate, args=(path,))
        thread.start()
        said, _ = self.run_it(f'{{kind: bus}}\nbus: {{listen: "unix:{path}", controllers: 0}}', PLAIN)
        thread.join()
        self.check_plain(said)

    @pytest.mark.long
    def test_an_event_that_streams_do_not_have_ends_the_run(self):
        path = self.path('bus')
        for change in (lambda event: b'\xc8' + event[1:], lambda event: event[:7]):
            thread = threading.Thread(target=self.simulate, args=(path, change), daemon=True)
            thread.start()
            with self.subTest(event=change(bytes(8)).hex()):
                self.run_it(f'{{kind: bus}}\nbus: {{listen: "unix:{path}", controllers: 0}}', PLAIN, code=3)
                assert_names(self.errors, 'network event streams')
            thread.join()

    @pytest.mark.long
    def test_each_way_takes_the_delay(self):
        self.check_plain(self.once(BUILTIN, PLAIN))

    def check_plain(self, said):
        there = 0.5 + 2 * 0.0123  # the SYN, and the answer
        self.assertEqual(sorted(said), sorted([
            f'1 {there:.6g} 111', "2 0.0 ('10.0.0.2', 7)",
            f"1 {there + 0.0246:.6g} connected ('10.0.0.1', 40000) ('10.0.0.2', 7)",
            f"2 {there + 0.0369:.6g} accepted ('10.0.0.1', 40000) ('10.0.0.2', 7) ('10.0.0.1', 40000)",
            f'2 {there + 0.0369:.6g} got 100000', f"1 {there + 0.0492:.6g} b'thanks' b''"]))

    def check_digests(self, said):
        data = b''.join(bytes([k % 251]) * (1 + k % 1400) for k in range(400))
        texts = [line.split(' ', 2)[2] for line in said]
        self.assertEqual(texts, ['refused True'] + [hashlib.sha256(data[k:]).hexdigest()[:16] + " ('10.0.0.2', 7000)" for k in range(3)])
        return [float(line.split()[1]) for line in said]

    @pytest.mark.long
    def test_asyncio_sees_a_network(self):
        times = self.check_digests(self.once(BUILTIN, ASYNC))
        # 3 connections one after the other, then data and an answer
        self.assertEqual(times, [0.1246, 0.223, 0.223, 0.223])

    @pytest.mark.long
    def test_gz15_what_is_lost_is_sent_again(self):
        times = self.check_digests(self.twice('{kind: builtin, delay: 0.0123, range: 100, loss: 0.2}', LOSSY))
        self.assertGreater(times[-1], 1.2)  # what is lost leaves 1 s later, or later still

    @needs_ns3
    def test_gz15_gz17_ns3_sends_again_what_is_lost(self):
        for drop in (0, 0.2, 0.5):
            with self.subTest(drop=drop):
                times = self.check_digests(self.twice(f'{{kind: ns3, params: {{radio: adhoc, loss: range, range: 100, drop: {drop}}}}}', ASYNC))
                # 840 kB at 6 Mbit/s take 1.1 s of the air at least
                self.assertGreater(times[-1], 0.1 + 3 * len(b''.join(bytes(1 + k % 1400) for k in range(400))) * 8 / 6e6)

    def test_a_program_in_c(self):
        said = self.twice(BUILTIN, {node: f'[{self.program}]' for node in ('n.1', 'n.2')})
        self.assertEqual([line for line in said if line[0] == '1'], [
            '1 0.100000 -1 EINPROGRESS, -1 EALREADY, peer -1, recv -1 EAGAIN',
            '1 0.124600 poll 0 1, err 1, Connection refused, then 0',
            '1 0.124600 -1 EINPROGRESS, -1 EALREADY, peer -1, recv -1 EAGAIN',
            '1 0.149200 epoll 0 1, error 0',
            '1 0.149200 again -1 EISCONN',
            '1 0.149200 a stream of IP',
            '1 0.149200 I am 10.0.0.1 port 40000',
            '1 0.173800 select 1, 6 bytes: thanks',
            '1 0.198400 end 0'])
        self.assertEqual([line for line in said if line[0] == '2'], [
            '2 0.000000 again -1 EADDRINUSE', '2 0.161500 accepted 10.0.0.1 port 40000', '2 0.161500 12 bytes: from a child',
            '2 0.186100 end 0'])

    def test_who_is_out_of_reach_is_waited_for(self):
        said = self.once('{kind: builtin, delay: 0.0123, range: 50}', {'n.1': '''
for host in ('10.0.0.3', '10.0.0.77', '10.9.0.1'):
    try:
        socket.create_connection((host, 7))
    except OSError as error:
        say(error.strerror)
s = socket.socket()
s.settimeout(1.5)
try:
    s.connect(('10.0.0.3', 7))
except socket.timeout:
    say('given up')
''', 'n.3': 'time.sleep(200)\n'})
        # SYNs after 1, 3, 7, 15, 31 and 63 s, and 64 s more
        self.assertEqual(said, ['1 127.0 Connection timed out', '1 127.0 No route to host', '1 127.0 No route to host', '1 128.5 given up'])

    def test_a_program_that_is_killed_closes_its_streams(self):
        said, _ = self.run_it(BUILTIN, {'n.1': '''
time.sleep(0.1)
s = socket.create_connection(('10.0.0.2', 7))
s.send(b'all')
time.sleep(0.5)
os.kill(os.getpid(), 9)
''', 'n.2': '''
s, _ = socket.create_server(('10.0.0.2', 7)).accept()
say(s.recv(10), s.recv(10))
try:
    while True:
        s.send(b'x')
        time.sleep(0.01)
except OSError as error:
    say(type(error).__name__)
'''}, code=1)
        # its end comes a way later; the first byte finds nobody, which is known two ways later
        self.assertEqual(said, ["2 0.6369 b'all' b''", '2 0.6669 BrokenPipeError'])

    @pytest.mark.long
    def test_who_does_not_read_stops_who_writes(self):
        said = self.once(BUILTIN, {'n.1': '''
time.sleep(0.1)
s = socket.create_connection(('10.0.0.2', 7))
s.setblocking(False)
sent = 0
try:
    while True:
        sent += s.send(bytes(100000))
        time.sleep(0.1)
except BlockingIOError:
    say('full', 400000 <= sent <= 1500000)
s.setblocking(True)
s.sendall(bytes(2000000 - sent))
say('all')
''', 'n.2': '''
s, _ = socket.create_server(('10.0.0.2', 7)).accept()
time.sleep(10)
total = 0
while data := s.recv(1000000):
    total += len(data)
say(total)
'''})
        self.assertEqual([line.split(' ', 2)[2] for line in said if line[0] == '1'], ['full True', 'all'])
        self.assertTrue(said[-1].endswith(' 2000000'), said)
        self.assertLess(float(said[0].split()[1]), 2)
        self.assertGreater(float(said[1].split()[1]), 10)

    @pytest.mark.long
    def test_addresses_of_version_6_that_stand_for_those_of_the_world(self):
        said = self.once(BUILTIN, {'n.1': '''
time.sleep(0.1)
s = socket.create_connection(('::ffff:10.0.0.2', 7))
say(s.getpeername()[:2], s.getsockname()[:2])
s.send(b'by six')
u = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
u.sendto(b'a datagram', ('::ffff:10.0.0.2', 8))
say(u.recvfrom(100))
t = socket.create_connection(('10.0.0.2', 7))
t.send(b'by four')
''', 'n.2': '''
listener = socket.create_server(('::', 7), family=socket.AF_INET6, dualstack_ipv6=True)
u = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
u.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
u.bind(('::', 8))
s, who = listener.accept()
say(who[:2], s.recv(10))
data, who = u.recvfrom(100)
say(data, who[:2])
u.sendto(b'back', who)
s, who = listener.accept()
say(who[:2], s.recv(10))
'''})
        self.assertEqual(said, [
            "1 0.1246 ('::ffff:10.0.0.2', 7) ('::ffff:10.0.0.1', 40000)",
            "2 0.1369 ('::ffff:10.0.0.1', 40000) b'by six'",
            "2 0.1369 b'a datagram' ('::ffff:10.0.0.1', 40000)",
            "1 0.1492 (b'back', ('::ffff:10.0.0.2', 8, 0, 0))",
            "2 0.1861 ('::ffff:10.0.0.1', 40001) b'by four'"])

    def silent(self, how, code, then=''):
        """A server runs without waiting as soon as somebody has connected: within the kernel, for a lock, which takes no processor."""
        held = self.enterContext(tempfile.NamedTemporaryFile())
        fcntl.lockf(held, fcntl.LOCK_EX)
        if then:
            late = threading.Timer(3, fcntl.lockf, (held, fcntl.LOCK_UN))
            late.start()
            self.addCleanup(late.join)
        server = self.python('server', SHARED + f"import fcntl\ns, _ = socket.create_server(('', 7)).accept()\n"
                             f"fcntl.lockf(open({held.name!r}, 'r+'), fcntl.LOCK_EX)\n{then}\n")
        program = f'{server}, patience: 2, silent: {how}'
        return self.run_it(BUILTIN, {'n.2': program, 'n.1': '''
time.sleep(1)
s = socket.create_connection(('10.0.0.2', 7))
say(s.recv(10))
'''}, code)[0]

    def test_who_runs_without_waiting_stops_the_run(self):
        self.assertEqual(self.silent('stop', 3), [])

    def test_who_runs_without_waiting_is_dropped(self):
        # it accepts at 1.0369 s, is killed at that instant, and its end is known a way later
        self.assertEqual(self.silent('drop', 0), ["1 1.0492 b''"])
        self.assertIn('1036900000 process n.2 has left: it was silent', self.trace())

    @pytest.mark.long
    def test_who_runs_without_waiting_is_waited_for(self):
        self.assertEqual(self.silent('wait', 0, "s.send(b'late')"), ["1 1.0492 b'late'"])

    @pytest.mark.long
    def test_an_address_names_the_network_of_a_stream(self):
        networks = '[{name: near, kind: builtin, delay: 0.01, nodes: [n.1, n.2]}, {name: far, kind: builtin, delay: 0.2}]'
        said = self.once(networks, {'n.1': '''
time.sleep(0.1)
for host in ('10.0.0.2', '10.1.0.2', '10.0.0.3', '10.2.0.2'):
    try:
        s = socket.create_connection((host, 7))
        say(s.getsockname(), s.getpeername())
    except OSError as error:
        say(error.strerror)
''', 'n.2': '''
listener = socket.create_server(('', 7))
for _ in range(2):
    s, who = listener.accept()
    say(who, s.getsockname())
''', 'n.3': "say(os.environ['SWARM_ADDRESS'])\n"})
        self.assertEqual(said, [
            '3 0.0 10.1.0.3', "1 0.12 ('10.0.0.1', 40000) ('10.0.0.2', 7)", "2 0.13 ('10.0.0.1', 40000) ('10.0.0.2', 7)",
            "1 0.52 ('10.1.0.1', 40000) ('10.1.0.2', 7)", '1 0.52 No route to host', '1 0.52 No route to host',
            "2 0.72 ('10.1.0.1', 40000) ('10.1.0.2', 7)"])

    def test_many_datagrams_by_one_call(self):
        said = self.once(BUILTIN, {node: f'[{self.program}, datagrams]' for node in ('n.1', 'n.2')})
        self.assertEqual(said, ['1 0.100000 5 5', '2 0.112300 5 ab abcde 10.0.0.1'])
