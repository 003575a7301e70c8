# SPDX-License-Identifier: Apache-2.0
"""The same client in every language that the scan reads: what is found does not hang on how it is written (SIM-048)."""
import pytest

from mayfly_audit.scan import scanner

# One client: it takes off and sleeps, slows down, dwells, and reckons an arrival. Lines that depend on motion end with a mark.
MARK = "@"
CLIENTS = {
    ".py": """
# mavlink
class Client:
    HOVER_S = 6
    def on(self, m):
        self.down = m.vz
        self.moves = m.get("groundspeed")
    def fly(self, v, wait=5):
        if not v.takeoff(10):
            return False
        print("up")
        time.sleep(wait) @
        v.goto(1, 2)
        ack = v.link.recv_match(type="COMMAND_ACK", blocking=True)
        for _ in range(10):
            time.sleep(1) @
        v.land()
        time.sleep(self.HOVER_S) @
        v.arm()
        time.sleep(5)
    def settled(self):
        return self.down > -0.3 @
    def still(self):
        self.count = 0
        if self.moves < 0.2: @
            self.count += 1
        return self.count > 10 @
    def arrives(self, distance):
        return distance / self.moves @
    def top(self, m):
        return m.climb <= 0 or abs(m.yawspeed) < 0.05 @
""",
    ".cpp": """
// mavlink
bool Client::fly(Action &action) {
    const auto result = action.takeoff();
    if (result != Result::Success) {
        return false;
    }
    std::cout << "up";
    std::this_thread::sleep_for(std::chrono::seconds(5)); @
    action.goto_location(1, 2);
    for (int i = 0; i < 10; i++) {
        sleep_for(1s); @
    }
    action.land();
    usleep(6000000); @
    action.arm();
    sleep(5);
    return true;
}
void Client::on(const Hud &m) { speed_ = hypotf(m.vx, m.vy); down_ = m.vz; }
bool Client::settled() { return down_ > -0.3f; } @
bool Client::still() {
    if (speed_ < 0.2f) { @
        ++count_;
    } else { count_ = 0; }
    return count_ > 10; @
}
float Client::arrives(float distance) { return distance / speed_; } @
bool Client::top(const Hud &m) { return m.climb <= 0; } @
""",
    ".c": """
/* mavlink */
static float speed, down;
static int count;
void on(const mavlink_local_position_ned_t *m) { speed = sqrtf(m->vx * m->vx + m->vy * m->vy); down = m->vz; }
int fly(struct link *l) {
    int result = send_takeoff(l, 10);
    if (result != 0)
        return result;
    printf("up");
    sleep(5); @
    send_land(l);
    for (int i = 0; i < 10; i++)
        sleep(1); @
    return 0;
}
int settled(void) { return down > -0.3f; } @
int still(void) {
    if (speed < 0.2f) @
        count++;
    else
        count = 0;
    return count > 10; @
}
float arrives(float distance) { return distance / speed; } @
""",
    ".go": """
package client // gomavlib
func (c *Client) Fly() error {
	if err := c.Takeoff(10); err != nil {
		return err
	}
	log.Println("up")
	time.Sleep(5 * time.Second) @
	c.GoTo(1, 2)
	for i := 0; i < 10; i++ {
		time.Sleep(time.Second) @
	}
	c.Land()
	<-time.After(6 * time.Second) @
	c.Arm()
	time.Sleep(5 * time.Second)
	return nil
}
func (c *Client) On(m *common.MessageLocalPositionNed) {
	c.speed = math.Hypot(float64(m.Vx), float64(m.Vy))
	c.down = float64(m.Vz)
}
func (c *Client) Settled() bool { return c.down > -0.3 } @
func (c *Client) Still() bool {
	if c.speed < 0.2 { @
		c.count++
	} else {
		c.count = 0
	}
	return c.count > 10 @
}
func (c *Client) Arrives(distance float64) float64 { return distance / c.speed } @
""",
    ".rs": """
// mavlink
impl Client {
    fn fly(&mut self) -> Result<(), Error> {
        self.takeoff(10.0)?;
        println!("up");
        thread::sleep(Duration::from_secs(5)); @
        self.goto(1.0, 2.0)?;
        for _ in 0..10 {
            thread::sleep(Duration::from_millis(1000)); @
        }
        self.land()?;
        tokio::time::sleep(std::time::Duration::from_secs_f32(6.0)).await; @
        self.arm()?;
        thread::sleep(Duration::from_secs(5));
        Ok(())
    }
    fn on(&mut self, m: &LOCAL_POSITION_NED_DATA) {
        self.speed = m.vx.hypot(m.vy);
        self.down = m.vz;
    }
    fn settled(&self) -> bool { self.down > -0.3 } @
    fn still(&mut self) -> bool {
        if self.speed < 0.2 { @
            self.count += 1;
        } else { self.count = 0; }
        self.count > 10 @
    }
    fn arrives(&self, distance: f32) -> f32 { distance / self.speed } @
}
""",
    ".java": """
// mavlink
class Client {
    boolean fly() throws Exception {
        if (!drone.takeoff(10)) {
            return false;
        }
        System.out.println("up");
        Thread.sleep(5000); @
        drone.gotoLocation(1, 2);
        for (int i = 0; i < 10; i++) {
            Thread.sleep(1000); @
        }
        drone.land();
        TimeUnit.SECONDS.sleep(6); @
        drone.arm();
        Thread.sleep(5000);
        return true;
    }
    void on(Hud m) { speed = m.getGroundspeed(); down = m.vz; }
    boolean settled() { return down > -0.3; } @
    boolean still() {
        if (speed < 0.2f) { @
            count++;
        } else { count = 0; }
        return count > 10; @
    }
    double arrives(double distance) { return distance / speed; } @
}
""",
    ".kt": """
// mavlink
class Client(val drone: Drone) {
    var speed = 0.0
    var down = 0.0
    suspend fun fly(): Boolean {
        if (!drone.takeoff(10)) {
            return false
        }
        println("up")
        delay(5000) @
        drone.gotoLocation(1, 2)
        for (i in 1..10) {
            delay(1000) @
        }
        drone.land()
        Thread.sleep(6000) @
        drone.arm()
        delay(5000)
        return true
    }
    fun on(m: Hud) { speed = m.groundspeed; down = m.vz }
    fun settled(): Boolean { return down > -0.3 } @
    fun still(): Boolean {
        if (speed < 0.2) { @
            count++
        } else { count = 0 }
        return count > 10 @
    }
    fun arrives(distance: Double): Double { return distance / speed } @
}
""",
    ".swift": """
// mavlink
class Client {
    var speed = 0.0
    var down = 0.0
    func fly() async throws {
        guard drone.takeoff(10) else { return }
        print("up")
        Thread.sleep(forTimeInterval: 5) @
        drone.gotoLocation(1, 2)
        for _ in 0..<10 {
            sleep(1) @
        }
        drone.land()
        try await Task.sleep(nanoseconds: 6_000_000_000) @
        drone.arm()
        sleep(5)
    }
    func on(m: Hud) { self.speed = m.groundspeed; self.down = m.vz }
    func settled() -> Bool { return down > -0.3 } @
    func still() -> Bool {
        if speed < 0.2 { @
            count += 1
        } else { count = 0 }
        return count > 10 @
    }
    func arrives(distance: Double) -> Double { return distance / speed } @
}
""",
    ".ts": """
// mavlink
class Client {
    async fly() {
        const result = await this.drone.takeoff(10)
        if (!result.ok) return false
        console.log('up')
        await new Promise(resolve => setTimeout(resolve, 5000)) @
        await this.drone.goTo(1, 2)
        for (let i = 0; i < 10; i++) {
            await sleep(1000) @
        }
        await this.drone.land()
        await delay(6000) @
        await this.drone.arm()
        await sleep(5000)
        return true
    }
    on(m: VfrHud) { this.speed = m.groundspeed; this.down = m.vz }
    settled() { return this.down > -0.3 } @
    still() {
        if (this.speed < 0.2) { @
            this.count++
        } else { this.count = 0 }
        return this.count > 10 @
    }
    arrives(distance: number) { return distance / this.speed } @
}
""",
    ".cs": """
// mavlink
class Client {
    private const int HoverMs = 6000;
    bool Fly() {
        if (!drone.Takeoff(10)) {
            return false;
        }
        Console.WriteLine("up");
        Thread.Sleep(5000); @
        drone.GotoLocation(1, 2);
        for (int i = 0; i < 10; i++) {
            Thread.Sleep(1000); @
        }
        drone.Land();
        await Task.Delay(TimeSpan.FromSeconds(6)); @
        drone.Land();
        await Task.Delay(HoverMs); @
        drone.Arm();
        Thread.Sleep(5000);
        return true;
    }
    void On(Hud m) { speed = m.groundspeed; down = m.vz; }
    bool Settled() { return down > -0.3f; } @
    bool Still() {
        if (speed < 0.2) { @
            count++;
        } else { count = 0; }
        return count > 10; @
    }
    double Arrives(double distance) => distance / speed; @
}
""",
}


def marked(suffix):
    """The client's text without its marks, and their lines."""
    lines = CLIENTS[suffix].split("\n")
    wanted = [n for n, line in enumerate(lines, 1) if line.endswith(" " + MARK)]
    return "\n".join(line[:-2] if line.endswith(" " + MARK) else line for line in lines), wanted


@pytest.mark.parametrize("suffix", CLIENTS)
def test_sim048_one_client_in_each_language(suffix):
    text, wanted = marked(suffix)
    seen = scanner.scan_text(text.encode(), "client" + suffix)
    assert seen.unjudged == [] and sorted({f.line for f in seen.findings}) == wanted


CLEAN = {
    ".py": "# mavlink\ndef f(v):\n    v.takeoff(10)\n    while not v.in_air():\n        time.sleep(1)\n    time.sleep(5)\n    v.land()\n",
    ".cpp": "// mavlink\nvoid f(V &v) {\n  v.takeoff();\n  while (!v.in_air()) {\n    sleep_for(1s);\n  }\n  sleep_for(5s);\n  v.land();\n}\n",
    ".go": "package p // gomavlib\nfunc f(v *V) {\n\tv.Takeoff()\n\tfor !v.InAir() {\n\t\ttime.Sleep(time.Second)\n\t}\n\ttime.Sleep(5 * time.Second)\n}\n",
    ".rs": "// mavlink\nfn f(v: &V) {\n  v.takeoff();\n  while !v.in_air() {\n    sleep(Duration::from_secs(1));\n  }\n  sleep(Duration::from_secs(5));\n}\n",
    ".ts": "// mavlink\nasync function f(v) {\n  await v.takeoff()\n  while (!v.inAir()) {\n    await sleep(1000)\n  }\n  await sleep(5000)\n}\n",
    ".cs": "// mavlink\nclass C { void F(V v) {\n  v.Takeoff();\n  while (!v.InAir) {\n    Thread.Sleep(1000);\n  }\n  Thread.Sleep(5000);\n} }\n",
    ".java": "// mavlink\nclass C { void f(V v) {\n  v.takeoff();\n  while (!v.inAir()) {\n    Thread.sleep(1000);\n  }\n  Thread.sleep(5000);\n} }\n",
    ".kt": "// mavlink\nfun f(v: V) {\n  v.takeoff()\n  while (!v.inAir()) {\n    delay(1000)\n  }\n  delay(5000)\n}\n",
    ".swift": "// mavlink\nfunc f(v: V) {\n  v.takeoff()\n  while !v.inAir() {\n    sleep(1)\n  }\n  sleep(5)\n}\n",
}


@pytest.mark.parametrize("suffix", CLEAN)
def test_who_waits_for_a_state_depends_on_none(suffix):
    assert scanner.scan_text(CLEAN[suffix].encode(), "client" + suffix).findings == []
