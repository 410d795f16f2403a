import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestBrowser } from '@switchyard/server/test/browser/browser.ts'
import { waitUntil } from '@switchyard/stack/services/wait-until.ts'
import { z } from 'zod'
import { readBlocks } from '../readme-blocks.ts'
import { runCommand, startCommand, type RunningCommand } from '../run-command.ts'

const secondMs = 1000
const commandTimeoutMs = 300 * secondMs
const visitTimeoutMs = 900 * secondMs
const pageTimeoutMs = 60 * secondMs
const shownChars = 4000
const phone = '708663158'

const devFileSchema = z.object({
  api: z.string(),
  dashboard: z.string(),
  orgs: z.array(
    z.object({
      members: z.array(z.object({ user_id: z.string(), role: z.string(), api_key: z.string() })),
    }),
  ),
})
const linkSchema = z.object({ data: z.object({ url: z.string(), client_reference: z.string() }) })
const webhookSchema = z.object({ data: z.object({ secret_key: z.string() }) })
const eventSchema = z.object({
  type: z.string(),
  data: z.object({ payment_id: z.string(), client_reference: z.string() }),
})

type DevFile = z.infer<typeof devFileSchema>
type Link = z.infer<typeof linkSchema>['data']
type Event = z.infer<typeof eventSchema>

/** A working copy, and the programs that were started in it. */
export interface Visit {
  readonly folder: string
  readonly running: RunningCommand[]
}

/** Runs a command to its end and returns what it printed. */
export async function run(cwd: string, script: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const result = await runCommand({
    program: 'bash',
    args: ['-c', script],
    cwd,
    env: { ...process.env, ...env },
    timeoutMs: commandTimeoutMs,
  })
  if (!result.isSuccess) throw new Error(`${script}: ${result.ending}\n${result.output.slice(-shownChars)}`)
  return result.stdout
}

/** Starts a program that runs until the end of the visit. */
function start(
  visit: Visit,
  script: string,
  env: NodeJS.ProcessEnv = {},
): { ending: () => string | undefined } {
  const command = startCommand({
    program: 'bash',
    args: ['-c', script],
    cwd: visit.folder,
    env: { ...process.env, ...env },
    timeoutMs: visitTimeoutMs,
  })
  visit.running.push(command)
  let ending: string | undefined
  command.finished.then(
    (result) => (ending = `${result.ending}\n${result.output.slice(-shownChars)}`),
    (error: unknown) => (ending = String(error)),
  )
  return { ending: () => ending }
}

const devFileOf = ({ folder }: Visit): string => join(folder, '.switchyard/dev.json')

/** On ports of its own, so that an installation that runs already is left alone. */
export async function startDev(visit: Visit): Promise<DevFile> {
  const { ending } = start(visit, 'exec npm run dev -- --ports random')
  await waitUntil(
    () => {
      if (ending() !== undefined) throw new Error(`npm run dev ended: ${ending()}`)
      return existsSync(devFileOf(visit))
    },
    { what: 'npm run dev', timeoutMs: commandTimeoutMs },
  )
  return devFileSchema.parse(JSON.parse(readFileSync(devFileOf(visit), 'utf8')))
}

/** Runs the README's commands up to the one that creates the link, as one shell would. */
export async function createLink(visit: Visit): Promise<Link> {
  const blocks = readBlocks(readFileSync(join(visit.folder, 'README.md'), 'utf8'))
  const last = blocks.findIndex(({ script }) => script.includes('payment-links'))
  const before = blocks.slice(0, last).map(({ script }) => script)
  const script = ['set -euo pipefail', '{', ...before, '} > /dev/null', blocks[last]?.script].join('\n')
  const printed = await run(visit.folder, script, { SWITCHYARD_DEV_FILE: devFileOf(visit) })
  return linkSchema.parse(JSON.parse(printed)).data
}

/** Registers an endpoint on this machine, starts the example that receives its events, and returns what it received. */
export async function startReceiver(
  visit: Visit,
  { api, orgs }: DevFile,
  port: number,
): Promise<() => Event[]> {
  const response = await fetch(`${api}/public/webhooks`, {
    method: 'POST',
    headers: {
      authorization: 'NONE',
      'x-api-key': orgs[0]?.members[0]?.api_key ?? '',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ endpoint_url: `http://127.0.0.1:${port}/hooks`, events: ['payment.completed'] }),
  })
  const { secret_key: secret } = webhookSchema.parse(await response.json()).data
  const printed = join(visit.folder, 'received.txt')
  start(visit, `exec node examples/webhook-receiver/receive.ts > ${printed}`, {
    WEBHOOK_SECRET: secret,
    PORT: String(port),
  })
  const lines = (): string[] => (existsSync(printed) ? readFileSync(printed, 'utf8').trim().split('\n') : [])
  await waitUntil(() => lines()[0]?.startsWith('ready'), { what: 'the receiver', timeoutMs: pageTimeoutMs })
  return () =>
    lines()
      .slice(1)
      .map((line) => eventSchema.parse(JSON.parse(line)))
}

export async function payInBrowser(browser: TestBrowser, { url }: Link): Promise<void> {
  const { page, context } = await browser.open({ locale: 'en-KE' })
  context.setDefaultTimeout(pageTimeoutMs)
  await page.goto(url)
  await page.check('#method-mobile_money')
  await page.fill('#phone', phone)
  await page.fill('#email', 'amina@example.com')
  await page.click('form[data-pay] button.primary')
  await page.getByRole('heading', { name: 'Payment complete', level: 2 }).waitFor()
  await context.close()
}

/** The event of the payment, once the receiver has it. */
export async function awaitEvent(
  received: () => Event[],
  { client_reference: reference }: Link,
): Promise<Event> {
  const find = (): Event | undefined =>
    received().find(({ type, data }) => type === 'payment.completed' && data.client_reference === reference)
  return await waitUntil(find, { what: 'the webhook', timeoutMs: pageTimeoutMs })
}

/** Signs in by one click, searches for the shop's reference and opens the payment. */
export async function findInDashboard(
  browser: TestBrowser,
  { dashboard, orgs }: DevFile,
  event: Event,
): Promise<void> {
  const admin = orgs[0]?.members.find(({ role }) => role === 'org-admin')
  const { page, context } = await browser.open({ viewport: { width: 1280, height: 800 } })
  context.setDefaultTimeout(pageTimeoutMs)
  await page.goto(dashboard)
  await page.locator('a[href*="/auth/login"]').click()
  await page.locator(`button[value="${admin?.user_id}"]`).click()
  await page.locator('nav').first().waitFor()
  await page.goto(`${dashboard}/payments?q=${event.data.client_reference}`)
  await page.locator(`main a[href*="${event.data.payment_id}"]`).first().click()
  await page.waitForURL(new RegExp(event.data.payment_id))
  await page.locator('main h1').first().waitFor()
  await context.close()
}
