import pg from 'pg'
import { join } from 'node:path'
import { startWorld } from '../src/world.ts'
import { payment } from '../src/initiate.ts'
import { runMeasurement } from '../src/program.ts'
const world = await startWorld({ profileDir: process.env.PROF })
try {
  const client = new pg.Client({ connectionString: world.postgres.url })
  await client.connect()
  const load = runMeasurement(join(import.meta.dirname, '../src/load.ts'), { origin: world.apiUrl, ...payment(world), connections: Number(process.env.CONN ?? 64), warmUpSeconds: 3, seconds: 6 })
  let done = false
  load.finally(() => { done = true })
  const seen = new Map<string, number>()
  let samples = 0
  while (!done) {
    const { rows } = await client.query(`select state, wait_event_type, wait_event, left(query, 40) q from pg_stat_activity where usename like 'switchyard%'`)
    samples++
    for (const r of rows) { const k = `${r.state} | ${r.wait_event_type} | ${r.wait_event} | ${r.q}`; seen.set(k, (seen.get(k) ?? 0) + 1) }
    await new Promise((r) => setTimeout(r, 50))
  }
  console.log(await load)
  console.log([...seen].sort((a, b) => b[1] - a[1]).slice(0, 25).map(([k, v]) => `${(v / samples).toFixed(2)} ${k}`).join('\n'))
  await client.end()
} finally { await world.stop() }
