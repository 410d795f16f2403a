// ROOT=/path/to/tree node harness.ts : slices in quiet moments
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
const root = process.env.ROOT ?? '/work/main'
const { startWorld, poolSize } = await import(`${root}/bench/src/world.ts`)
const { payment } = await import(`${root}/bench/src/initiate.ts`)
const { runMeasurement } = await import(`${root}/bench/src/program.ts`)
const { captureStatements } = await import(`${root}/bench/src/capture.ts`)
const { processorTimeMs } = await import(`${root}/bench/src/processor-time.ts`)
const slices = Number(process.env.SLICES ?? 5), connections = Number(process.env.CONN ?? 64), seconds = Number(process.env.SECONDS ?? 3)
const minIdle = Number(process.env.MINIDLE ?? 85)
const stat = () => { const f = readFileSync('/proc/stat', 'utf8').split('\n')[0]!.trim().split(/\s+/).slice(1).map(Number); const idle = f[3]! + f[4]!; const total = f.slice(0, 8).reduce((a, b) => a + b, 0); return { idle, busy: total - idle, total } }
async function quiet() { const end = Date.now() + 25_000; while (Date.now() < end) { const a = stat(); await sleep(700); const b = stat(); if ((b.idle - a.idle) / (b.total - a.total) * 100 >= minIdle) return } }
const world = await startWorld({ profileDir: process.env.PROF })
try {
  const load = (o: object) => runMeasurement(join(root, 'bench/src/load.ts'), { origin: world.apiUrl, ...payment(world), connections, warmUpSeconds: 0.3, seconds, ...o })
  const pids = { api: world.api.pid, sim: world.simulator.pid, pg: world.postgres.pid }
  const times = () => Object.values(pids).map((p) => processorTimeMs(p))
  const measured = async (kind: string, run: () => Promise<any>) => {
    await quiet()
    const s = stat(), t = times(), t0 = performance.now()
    const r = await run()
    const e = stat(), u = times()
    const own = u.reduce((a, v, i) => a + v - t[i]!, 0) + (r.cpuMs ?? 0)
    const busy = (e.busy - s.busy) * 10
    const n = r.total ?? r.perSecond * seconds
    const per = u.map((v, i) => ((v - t[i]!) / n).toFixed(3))
    console.log(`${kind} ${r.perSecond.toFixed(0)}/s p50 ${r.p50Ms?.toFixed(1)} p99 ${r.p99Ms?.toFixed(1)} | per payment ms: api ${per[0]} sim ${per[1]} pg ${per[2]} load ${((r.cpuMs ?? 0) / n).toFixed(3)} | foreign ${((busy - own) / (performance.now() - t0) / 2 * 100).toFixed(0)}%`)
  }
  for (let i = 0; i < Number(process.env.WARM ?? 3); i++) await load({ seconds: 3 })
  console.log('warm')
  for (let i = 0; i < slices; i++) await measured('api   ', () => load({}))
  if (process.env.REPLAY) {
    const recording = await captureStatements({ ...world.env, LOG_LEVEL: 'silent' }, payment(world))
    console.log(recording.groups.map((g: any) => g.role + ': ' + g.statements.map((q: any) => q.text.slice(0, 40)).join(' | ')).join('\n'))
    writeFileSync(join(world.directory, 'r.json'), JSON.stringify(recording))
    const urls = { switchyard_app: world.env['DATABASE_APP_URL'], switchyard_system: world.env['DATABASE_SYSTEM_URL'] }
    const replay = (s: number) => runMeasurement(join(root, 'bench/src/replay.ts'), { recordingFile: join(world.directory, 'r.json'), urls, poolSize, workers: connections, warmUpSeconds: 1, seconds: s })
    for (let i = 0; i < slices; i++) await measured('replay', () => replay(seconds))
  }
  if (process.env.STEADY) for (let i = 0; i < slices; i++) await measured('steady', () => load({ perSecond: 100, warmUpSeconds: 0.5 }))
} finally { await world.stop() }
