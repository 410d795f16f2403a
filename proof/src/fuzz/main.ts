import { parseArgs } from 'node:util'
import { startFuzzInstallation } from './installation.ts'
import { fuzz } from './run.ts'

/** `npm run fuzz -- --requests N --seed S` exits with 1 when an answer breaks a promise of the OpenAPI document. */
const { values } = parseArgs({
  options: { requests: { type: 'string', default: '20000' }, seed: { type: 'string', default: '1' } },
})
const [requests, seed] = [Number(values.requests), Number(values.seed)]
if (!Number.isSafeInteger(requests) || !Number.isSafeInteger(seed))
  throw new Error('--requests and --seed are whole numbers')
const installation = await startFuzzInstallation()
try {
  const report = await fuzz(installation, { requests, seed, print: console.log })
  console.log(report.text())
  console.log(await installation.audit())
  process.exitCode = report.findings.length === 0 ? 0 : 1
} finally {
  await installation.stop()
}
