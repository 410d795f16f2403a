import { existsSync } from 'node:fs'
import { chromium, type CDPSession, type Page } from 'playwright-core'
import { startBenchInstallation, type BenchInstallation } from './installation.ts'

const visits = 5
const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** A cheap phone on a slow network, as Lighthouse throttles for "Slow 3G". */
const slow = { latency: 400, downloadThroughput: (400 * 1024) / 8, uploadThroughput: (400 * 1024) / 8 }
const slowdown = 4

interface Visit {
  firstPaintMs: number
  loadedMs: number
  bytes: Record<string, number>
}

/** Measures a payer's first visit: the bytes that are transferred, and the time to first paint. */
export async function benchCheckout({ print }: { print: (line: string) => void }): Promise<void> {
  const executablePath = process.env['CHROMIUM_PATH'] ?? places.find((place) => existsSync(place))
  if (executablePath === undefined) throw new Error('no browser found: set CHROMIUM_PATH')
  const installation = await startBenchInstallation()
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
  try {
    const url = await makeLink(installation)
    const measured: Visit[] = []
    for (let visit = 0; visit <= visits; visit++) {
      const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'sw-KE' })
      measured.push(await measure(await context.newPage(), url))
      await context.close()
    }
    report(measured.slice(1), print) // the first one warmed the server up
  } finally {
    await browser.close()
    await installation.stop()
  }
}

async function makeLink({ apiUrl, apiKey }: BenchInstallation): Promise<string> {
  const headers = { authorization: 'NONE', 'x-api-key': apiKey, 'content-type': 'application/json' }
  const me = await call(`${apiUrl}/v1/users/me`, { headers })
  const body = JSON.stringify({ amount: 1500, currency: 'KES', country: 'KE', description: 'Order 7' })
  const made = await call(`${apiUrl}/v1/orgs/${String(me['org_id'])}/payment-links`, {
    method: 'POST',
    headers,
    body,
  })
  return String(made['url'])
}

async function call(url: string, init: RequestInit): Promise<Record<string, unknown>> {
  const response = await fetch(url, init)
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  return ((await response.json()) as { data: Record<string, unknown> }).data // our own envelope
}

async function measure(page: Page, url: string): Promise<Visit> {
  const session = await page.context().newCDPSession(page)
  const bytes = await countBytes(session)
  await session.send('Network.emulateNetworkConditions', { offline: false, ...slow })
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await page.goto(url, { waitUntil: 'load' })
  const paint = `performance.getEntriesByName('first-contentful-paint')[0]?.startTime`
  await page.waitForFunction(paint)
  const firstPaintMs = Number(await page.evaluate(paint))
  const loadedMs = Number(await page.evaluate(`performance.getEntriesByType('navigation')[0].loadEventStart`))
  return { firstPaintMs, loadedMs, bytes }
}

/** Counts the bytes transferred, with headers and compression, by kind of resource. */
async function countBytes(session: CDPSession): Promise<Record<string, number>> {
  const bytes: Record<string, number> = {}
  const kinds = new Map<string, string>()
  session.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type))
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId) ?? 'Other'
    bytes[kind] = (bytes[kind] ?? 0) + encodedDataLength
  })
  await session.send('Network.enable')
  return bytes
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

function report(measured: readonly Visit[], print: (line: string) => void): void {
  const of = (pick: (visit: Visit) => number): number => Math.round(median(measured.map(pick)))
  print(`payment page, first visit, 400 kbit/s with 400 ms latency, processor ${slowdown} times slower`)
  print(`  first contentful paint  ${of((visit) => visit.firstPaintMs)} ms (median of ${measured.length})`)
  print(`  loaded                  ${of((visit) => visit.loadedMs)} ms`)
  for (const kind of ['Document', 'Stylesheet', 'Script'])
    print(`  ${kind.toLowerCase().padEnd(23)} ${of((visit) => visit.bytes[kind] ?? 0)} bytes, compressed`)
}
