import { readConfig } from './config.ts'
import { runInBackground } from './core/background.ts'
import { PROTOCOLS } from './registry.ts'
import { startSimulator } from './simulator.ts'

const simulator = await startSimulator(readConfig(process.env))
const providers = PROTOCOLS.map((protocol) => protocol.name)
process.stdout.write(`${JSON.stringify({ event: 'listening', url: simulator.url, providers })}\n`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => runInBackground(() => simulator.stop()))
}
