import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTestBrowser } from '@switchyard/server/test/browser/browser.ts'
import { freePort } from '@switchyard/stack/services/ports.ts'
import {
  awaitEvent,
  createLink,
  findInDashboard,
  payInBrowser,
  run,
  startDev,
  startReceiver,
  type Visit,
} from './newcomer/steps.ts'

/**
 * The way of a newcomer, with a clock: from `git clone` to a payment that was made in a browser, told to a receiver and
 * found in the dashboard. It fails if that takes longer than five minutes.
 */
const limitSeconds = 300
const secondMs = 1000
const root = join(import.meta.dirname, '../..')

const directory = mkdtempSync(join(tmpdir(), 'switchyard-newcomer-'))
chmodSync(directory, 0o711) // PostgreSQL runs as another user when this process is root, and needs access
const visit: Visit = { folder: join(directory, 'switchyard'), running: [] }
const startedAt = performance.now()
const browser = await startTestBrowser()
try {
  await walk()
} finally {
  await browser.close()
  // The last one first, as they may need each other.
  for (const command of visit.running.toReversed()) await command.stop()
  rmSync(directory, { recursive: true, force: true })
}

async function walk(): Promise<void> {
  await timed('git clone', () => run(directory, `git clone --quiet '${root}' switchyard`))
  await timed('npm ci', () => run(visit.folder, '. tools/use-node.sh && npm ci'))
  const dev = await timed('npm run dev', () => startDev(visit))
  const link = await timed('first payment and a link', () => createLink(visit))
  const received = await timed('receiver', async () => startReceiver(visit, dev, await freePort()))
  await timed('link paid in a browser', () => payInBrowser(browser, link))
  const event = await timed('webhook received', () => awaitEvent(received, link))
  await timed('found in the dashboard', () => findInDashboard(browser, dev, event))
  const seconds = secondsSince(startedAt)
  console.log(`${seconds.toFixed(1).padStart(6)} s  in all, of ${limitSeconds}`)
  if (seconds > limitSeconds) throw new Error(`a newcomer needs more than ${limitSeconds} seconds`)
}

async function timed<T>(name: string, step: () => Promise<T>): Promise<T> {
  const stepStartedAt = performance.now()
  const result = await step()
  console.log(`${secondsSince(stepStartedAt).toFixed(1).padStart(6)} s  ${name}`)
  return result
}

function secondsSince(moment: number): number {
  return (performance.now() - moment) / secondMs
}
