// SPDX-License-Identifier: Apache-2.0
// What WebGL 2 draws for the page in three dimensions (page_space.js): many of one shape, surfaces, lines of any width, a picture on the ground.
// A browser without a graphics card takes as long for an instance as for a draw: corners of many are written out, and shaders find them by number.
// Places are east, north, up [m].

const SHADERS = {
many: [`
uniform mat4 see; uniform vec3 eye, ahead, shape[6]; uniform float moved, least, size, corners;
layout(location=0) in vec3 at; layout(location=1) in vec3 speed; layout(location=2) in float yaw; layout(location=3) in vec4 colour;
out vec4 shade; out vec3 place;
void main() {
  vec3 p = at + speed * moved, q = shape[gl_VertexID % int(corners)];
  place = vec3(q.x * cos(yaw) + q.y * sin(yaw), q.y * cos(yaw) - q.x * sin(yaw), q.z);
  gl_Position = see * vec4(p + place * max(size, least * dot(p - eye, ahead)), 1);
  shade = colour;
}`, `in vec4 shade; in vec3 place; out vec4 seen;
void main() {
  vec3 normal = normalize(cross(dFdx(place), dFdy(place)));
  seen = vec4(shade.rgb * (0.72 + 0.28 * dot(normal, vec3(-0.36, -0.48, 0.8))), 1);
}`],
points: [`
uniform mat4 see; uniform float moved, width;
layout(location=0) in vec3 at; layout(location=1) in vec3 speed; layout(location=3) in vec4 colour;
out vec4 shade;
void main() { gl_Position = see * vec4(at + speed * moved, 1); gl_PointSize = width; shade = colour; }`, 'in vec4 shade; out vec4 seen; void main() { seen = shade; }'],
surface: [`
uniform mat4 see;
layout(location=0) in vec3 point; layout(location=1) in vec3 normal;
out float light;
void main() { gl_Position = see * vec4(point, 1); light = 0.6 + 0.4 * abs(dot(normal, vec3(-0.36, -0.48, 0.8))); }`,
'uniform vec4 colour; in float light; out vec4 seen; void main() { seen = vec4(colour.rgb * light * colour.a, colour.a); }'],
lines: [`
uniform mat4 see; uniform vec2 half_px; uniform float width, near;
layout(location=0) in vec3 from; layout(location=1) in vec3 to; layout(location=2) in vec4 colour;
out vec4 shade; out float across;
void main() {
  vec4 p = see * vec4(from, 1), q = see * vec4(to, 1);
  if (p.w < near && q.w >= near) p = mix(p, q, (near - p.w) / (q.w - p.w));
  else if (q.w < near && p.w >= near) q = mix(q, p, (near - q.w) / (p.w - q.w));
  vec2 way = (q.xy / q.w - p.xy / p.w) * half_px;
  vec2 side = length(way) > 0.0 ? normalize(vec2(-way.y, way.x)) : vec2(1, 0);
  vec4 end = (gl_VertexID & 2) == 0 ? p : q;
  across = ((gl_VertexID & 1) == 0 ? -0.5 : 0.5) * (width + 1.0);
  end.xy += side * across / half_px * end.w;
  gl_Position = p.w < near || q.w < near ? vec4(2, 2, 2, 1) : end;
  shade = vec4(colour.rgb * colour.a, colour.a);
}`, 'uniform float width; in vec4 shade; in float across; out vec4 seen; void main() { seen = shade * clamp(0.5 * (width + 1.0) - abs(across), 0.0, 1.0); }'],
floor: [`
uniform mat4 see; uniform vec3 middle; out vec2 at;
void main() {
  at = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  gl_Position = see * vec4(middle.xy + at * middle.z, 0, 1);
}`, 'uniform vec4 colour; in vec2 at; out vec4 seen; void main() { seen = colour * (1.0 - smoothstep(0.3, 1.0, length(at))); }'],
ground: [`
uniform mat4 see; uniform vec4 box; out vec2 cell;
void main() {
  cell = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  gl_Position = see * vec4(mix(box.xy, box.zw, cell), 0, 1);
}`, 'uniform sampler2D cells; in vec2 cell; out vec4 seen; void main() { seen = texture(cells, cell); }'],
}

// Triangles as [point, normal] for each corner.
function facets(...triangles) {
  return new Float32Array(triangles.flatMap(([a, b, c]) => {
    const u = b.map((x, k) => x - a[k]), v = c.map((x, k) => x - a[k])
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]], l = Math.hypot(...n) || 1
    return [a, b, c].flatMap(p => [...p, ...n.map(x => x / l)])
  }))
}
// A member's nose points north; the thing is what does not fly.
const [NOSE, LEFT, RIGHT, FIN, NOTCH] = [[0, 1, 0], [-0.6, -0.65, -0.1], [0.6, -0.65, -0.1], [0, -0.5, 0.34], [0, -0.3, -0.1]]
const DART = { corners: [NOSE, LEFT, RIGHT, FIN, NOTCH], faces: [0, 1, 3, 0, 3, 2, 1, 4, 3, 4, 2, 3, 0, 4, 1, 0, 2, 4] }
const THING = { corners: [[0.45, 0, 0], [-0.45, 0, 0], [0, 0.45, 0], [0, -0.45, 0], [0, 0, 0.45], [0, 0, -0.45]],
  faces: [0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5] }
// Numbers of corners, of one after the other.
const corners = (n, of, faces) => Uint32Array.from({ length: n * faces.length }, (_, k) => Math.floor(k / faces.length) * of + faces[k % faces.length])

// Surfaces of an obstacle as docs/bus.md tells of it.
function* surfaceOf([kind, n, e, u, a, b, up, c, d, up2], round) {
  if (kind === 6) {
    yield [[e, n, u], [e + b, n + a, u + up], [e + d, n + c, u + up2]]
  } else if (kind === 0) {
    const at = k => [e + (k & 1 ? b : 0), n + (k & 2 ? a : 0), u + (k & 4 ? up : 0)]
    for (const [p, q, r, s] of [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]) yield* [[at(p), at(q), at(r)], [at(p), at(r), at(s)]]
  } else {
    // circles one above the other, [radius, height] of each
    const circles = kind === 1 ? [[0, 0], [a, 0], [a, up], [0, up]] : kind === 3 ? [[0, 0], [a, 0], [0, up]]
      : Array.from({ length: round / 2 + 1 }, (_, k) => [a * Math.sin(2 * Math.PI * k / round), -a * Math.cos(2 * Math.PI * k / round)])
    const at = ([r, h], k) => [e + r * Math.sin(2 * Math.PI * k / round), n + r * Math.cos(2 * Math.PI * k / round), u + h]
    for (let j = 0; j + 1 < circles.length; j++) for (let k = 0; k < round; k++) {
      if (circles[j][0] > 1e-9) yield [at(circles[j], k + 1), at(circles[j], k), at(circles[j + 1], k)]
      if (circles[j + 1][0] > 1e-9) yield [at(circles[j], k + 1), at(circles[j + 1], k), at(circles[j + 1], k + 1)]
    }
  }
}

// Lines that are put together before they are drawn: four corners of 28 bytes each.
class Lines {
  constructor() { this.n = 0; this.grow(256) }
  grow(room) {
    const had = this.floats
    this.floats = new Float32Array(room * 28)
    this.colours = new Uint32Array(this.floats.buffer)
    if (had) this.floats.set(had)
  }
  add(a, b, c, d, e, f, colour) {
    if (28 * this.n + 28 > this.floats.length) this.grow(2 * this.n)
    const { floats } = this, from = 28 * this.n++
    for (let at = from; at < from + 28; at += 7) {
      floats[at] = a
      floats[at + 1] = b
      floats[at + 2] = c
      floats[at + 3] = d
      floats[at + 4] = e
      floats[at + 5] = f
      this.colours[at + 6] = colour
    }
  }
}
// "#rrggbb" as bytes of a colour, little endian
const bytesOf = new Map()
function rgba(text, alpha = 1) {
  if (!bytesOf.has(text)) bytesOf.set(text, parseInt(text.slice(5, 7), 16) << 16 | parseInt(text.slice(3, 5), 16) << 8 | parseInt(text.slice(1, 3), 16))
  return (Math.round(255 * alpha) << 24 | bytesOf.get(text)) >>> 0
}
const parts = (text, alpha = 1) => [1, 3, 5].map(k => parseInt(text.slice(k, k + 2), 16) / 255).concat(alpha)

class Painter {
  // null of a browser without WebGL 2
  static on(canvas) {
    const gl = canvas.getContext('webgl2', { alpha: false, antialias: false, powerPreference: 'high-performance' })
    return gl && new Painter(canvas, gl)
  }
  constructor(canvas, gl) {
    this.canvas = canvas
    this.gl = gl
    const about = gl.getExtension('WEBGL_debug_renderer_info') // no graphics card: the processor does its work
    this.soft = /SwiftShader|llvmpipe|softpipe|Microsoft Basic/i.test(gl.getParameter(about ? about.UNMASKED_RENDERER_WEBGL : gl.RENDERER))
    this.programs = Object.fromEntries(Object.entries(SHADERS).map(([name, [vertex, fragment]]) => [name, this.program(vertex, fragment)]))
    this.shapes = [DART, THING].map(({ corners, faces }) => ({ corners, faces, points: new Float32Array(18).map((_, k) => corners.flat()[k] || 0), array: gl.createVertexArray(), buffer: gl.createBuffer(), index: gl.createBuffer(), indexed: 0, n: 0 }))
    for (const shape of [...this.shapes, this.cloud = { array: gl.createVertexArray(), buffer: gl.createBuffer(), n: 0 }]) this.attributes(shape.array, shape.buffer, 32, [[0, 3, 0], [1, 3, 12], [2, 1, 24], [3, 4, 28]])
    this.surface = { array: gl.createVertexArray(), buffer: gl.createBuffer(), n: 0 }
    this.attributes(this.surface.array, this.surface.buffer, 24, [[0, 3, 0], [1, 3, 12]])
    this.line = { array: gl.createVertexArray(), buffer: gl.createBuffer(), index: gl.createBuffer(), indexed: 0 }
    this.attributes(this.line.array, this.line.buffer, 28, [[0, 3, 0], [1, 3, 12], [2, 4, 24]])
    this.plain = gl.createVertexArray()
    gl.enable(gl.DEPTH_TEST)
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA)
  }
  program(vertex, fragment) {
    const { gl } = this, p = gl.createProgram()
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, 'precision highp float;' + fragment]]) {
      const s = gl.createShader(kind)
      gl.shaderSource(s, '#version 300 es\n' + text)
      gl.compileShader(s)
      gl.attachShader(p, s)
    }
    gl.linkProgram(p)
    if (!gl.getProgramParameter(p, gl.LINK_STATUS) && !gl.isContextLost()) throw new Error(gl.getProgramInfoLog(p))
    const uniform = {}
    for (let k = 0; k < gl.getProgramParameter(p, gl.ACTIVE_UNIFORMS); k++) {
      const { name } = gl.getActiveUniform(p, k)
      uniform[name] = gl.getUniformLocation(p, name)
    }
    return { p, uniform }
  }
  // rows: [location, numbers, offset]; four numbers are bytes of a colour
  attributes(array, buffer, stride, rows) {
    const { gl } = this
    gl.bindVertexArray(array)
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer)
    for (const [at, n, offset] of rows) {
      gl.enableVertexAttribArray(at)
      gl.vertexAttribPointer(at, n, n === 4 ? gl.UNSIGNED_BYTE : gl.FLOAT, n === 4, stride, offset)
    }
  }
  // Numbers of corners for so many; the array is bound.
  index(what, n, of, faces) {
    const { gl } = this
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, what.index)
    if (what.indexed >= n) return
    what.indexed = Math.max(256, 2 * n)
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, corners(what.indexed, of, faces), gl.STATIC_DRAW)
  }
  use(name, uniforms) {
    const { gl } = this, { p, uniform } = this.programs[name]
    gl.useProgram(p)
    for (const [key, value] of Object.entries({ see: this.see, ...uniforms })) {
      if (typeof value === 'number') gl.uniform1f(uniform[key], value)
      else if (value.length === 16) gl.uniformMatrix4fv(uniform[key], false, value)
      else if (value.length === 18) gl.uniform3fv(uniform[key], value)
      else gl['uniform' + value.length + 'fv'](uniform[key], value)
    }
  }
  begin(see, eye, ahead, near, paper) {
    const { gl, canvas } = this, k = devicePixelRatio, w = Math.round(canvas.clientWidth * k), h = Math.round(canvas.clientHeight * k)
    if (canvas.width !== w || canvas.height !== h) {
      canvas.width = w
      canvas.height = h
    }
    Object.assign(this, { see, eye, ahead, near })
    gl.viewport(0, 0, w, h)
    gl.clearColor(...parts(paper))
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
  }
  // What is seen through hides nothing that comes later.
  clear(on) {
    const { gl } = this
    gl[on ? 'enable' : 'disable'](gl.BLEND)
    gl.depthMask(!on)
  }
  // 32 bytes of each: east, north, up, their speeds, heading, colour; of darts, then of things
  setMembers(all) {
    const { gl } = this
    all.forEach((floats, k) => {
      const shape = this.shapes[k], of = shape.corners.length, n = floats.length / 8, copies = new Float32Array(floats.length * of)
      for (let i = 0; i < n * of; i++) copies.set(floats.subarray(8 * Math.floor(i / of), 8 * Math.floor(i / of) + 8), 8 * i)
      gl.bindBuffer(gl.ARRAY_BUFFER, shape.buffer)
      gl.bufferData(gl.ARRAY_BUFFER, copies, gl.DYNAMIC_DRAW)
      shape.n = n
    })
    this.cloud.n = 0
  }
  drawMembers(moved, size, least) {
    const { gl } = this
    for (const shape of this.shapes) {
      if (!shape.n) continue
      this.use('many', { eye: this.eye, ahead: this.ahead, moved, size, least, corners: shape.corners.length, 'shape[0]': shape.points })
      gl.bindVertexArray(shape.array)
      this.index(shape, shape.n, shape.corners.length, shape.faces)
      gl.drawElements(gl.TRIANGLES, shape.n * shape.faces.length, gl.UNSIGNED_INT, 0)
    }
  }
  // Shapes of tens of thousands would take long; points do not.
  setPoints(floats) {
    const { gl } = this
    gl.bindBuffer(gl.ARRAY_BUFFER, this.cloud.buffer)
    gl.bufferData(gl.ARRAY_BUFFER, floats, gl.DYNAMIC_DRAW)
    this.cloud.n = floats.length / 8
    for (const shape of this.shapes) shape.n = 0
  }
  drawPoints(moved, width) {
    const { gl } = this
    this.use('points', { moved, width: width * devicePixelRatio })
    gl.bindVertexArray(this.cloud.array)
    gl.drawArrays(gl.POINTS, 0, this.cloud.n)
  }
  // What has just been drawn, from its lower edge on. had: pixels that may be written over
  copy(had) {
    const { gl, canvas: { width, height } } = this, pixels = had && had.length === 4 * width * height ? had : new Uint8Array(4 * width * height)
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels)
    return pixels
  }
  setSurface(rows) {
    const { gl } = this, round = rows.length > 400 ? 8 : 24
    const all = rows.flatMap(row => [...surfaceOf(row, round)])
    const bytes = new Float32Array(all.length * 18)
    all.forEach((triangle, k) => bytes.set(facets(triangle), 18 * k))
    gl.bindBuffer(gl.ARRAY_BUFFER, this.surface.buffer)
    gl.bufferData(gl.ARRAY_BUFFER, bytes, gl.STATIC_DRAW)
    this.surface.n = all.length
  }
  drawSurface(colour) {
    const { gl } = this
    if (!this.surface.n) return
    this.use('surface', { colour })
    gl.bindVertexArray(this.surface.array)
    gl.drawArrays(gl.TRIANGLES, 0, 3 * this.surface.n)
  }
  drawLines(lines, width) {
    const { gl } = this
    if (!lines.n) return
    this.use('lines', { half_px: [gl.drawingBufferWidth / 2, gl.drawingBufferHeight / 2], width: width * devicePixelRatio, near: this.near })
    gl.bindVertexArray(this.line.array)
    gl.bindBuffer(gl.ARRAY_BUFFER, this.line.buffer)
    gl.bufferData(gl.ARRAY_BUFFER, lines.floats.subarray(0, 28 * lines.n), gl.STREAM_DRAW)
    this.index(this.line, lines.n, 4, [0, 1, 2, 2, 1, 3])
    gl.drawElements(gl.TRIANGLES, 6 * lines.n, gl.UNSIGNED_INT, 0)
  }
  // The plane at height 0, so far about the middle; farther off it fades into what is behind it.
  drawFloor([x, y], reach, colour) {
    const { gl } = this
    this.use('floor', { middle: [x, y, reach], colour })
    gl.bindVertexArray(this.plain)
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4)
  }
  // pixels: colours of cells, row by row to the north
  drawGround(columns, rows, pixels, box) {
    const { gl } = this
    this.texture ||= gl.createTexture()
    gl.bindTexture(gl.TEXTURE_2D, this.texture)
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, columns, rows, 0, gl.RGBA, gl.UNSIGNED_BYTE, pixels)
    for (const what of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, what, gl.NEAREST)
    for (const what of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, what, gl.CLAMP_TO_EDGE)
    this.use('ground', { box })
    gl.bindVertexArray(this.plain)
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4)
  }
}
