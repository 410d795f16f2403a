import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { signWebhook } from '@switchyard/sdk/verify-webhook'
import { waitUntil } from '@switchyard/stack/services/wait-until.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pythonSource, usePython } from '../sdk-python/use-python.ts'
import type { Json } from '../test-app.ts'
import {
  bankBeneficiary,
  kenyanPayin,
  mobileMoneyPayin,
  openPayments,
  usePayments,
  type OrgPayments,
} from '../test-payments.ts'
import { languages, readSamples, type Language } from './read-samples.ts'

const t = usePayments()
const root = join(import.meta.dirname, '../../../..')
// Within the repository, so that the SDK is found by its name.
const directory = mkdtempSync(join(root, 'sdk/samples-'))
const samples = readSamples()
const secret = 'whsec_c2VjcmV0LW9mLXRoZS1zaG9wLWluLXRoZS10ZXN0'
const uuid = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/
const runLimitMs = 60_000
const programs: Record<Language, { extension: string; program: () => string }> = {
  curl: { extension: 'sh', program: () => 'bash' },
  TypeScript: { extension: 'ts', program: () => process.execPath },
  Python: { extension: 'py', program: usePython },
  'Command line': { extension: 'sh', program: () => 'bash' },
}
let org: OrgPayments
let env: Record<string, string>

beforeAll(async () => {
  org = await openPayments(t)
  const key = (await org.call('POST', '/v1/public/api-keys', { name: 'samples' })).body.data.api_key
  env = {
    PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH']}`,
    PYTHONPATH: pythonSource,
    SWITCHYARD_CONFIG: join(directory, 'config.json'),
    SWITCHYARD_BASE_URL: t.url,
    SWITCHYARD_API_KEY: key,
    ORG_ID: org.orgId,
  }
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** What the sample prints; it runs after the code of the page's first section, as a reader would run it. */
async function run(task: string, language: Language, more: Record<string, string> = {}): Promise<string> {
  const { extension, program } = programs[language]
  const code = [samples.get('Set up')?.get(language), samples.get(task)?.get(language)].join('\n')
  const file = join(directory, `sample.${extension}`)
  writeFileSync(file, extension === 'sh' ? `set -euo pipefail\n${code}` : code)
  const options = { cwd: directory, env: { ...env, ...more }, timeout: runLimitMs }
  return (await promisify(execFile)(program(), [file], options)).stdout
}

/** The output in every language, one after the other. */
async function runAll(task: string, more: Record<string, string> = {}): Promise<string[]> {
  const printed: string[] = []
  for (const language of languages) printed.push(await run(task, language, more))
  return printed
}

const paymentIn = (printed: string): string | undefined =>
  /"payment_id":"([^"]+)"/.exec(printed)?.[1] ?? uuid.exec(printed)?.[0]

const ended = (paymentId: string, status: string): Promise<boolean> =>
  waitUntil(async () => (await org.record(paymentId)).status === status, {
    what: `the payment to be ${status}`,
    timeoutMs: 20_000,
  })

describe('the samples of docs/samples.md', () => {
  it('are six tasks in four languages', () => {
    expect([...samples.keys()]).toEqual([
      'Set up',
      'Take a mobile money payment',
      'Pay out to a bank account',
      'Create a payment link',
      'Verify a webhook',
      'List failed payments',
      'Refund a payment',
    ])
  })

  it('take one payment in four languages, because all send the same request under one key', async () => {
    const ids = (await runAll('Take a mobile money payment')).map(paymentIn)
    const [first = ''] = ids
    expect(ids).toEqual([first, first, first, first])
    await ended(first, 'completed')
    expect(await org.accepted(first)).toHaveLength(1)
  }, 240_000)

  it('pay out once in four languages, because all send the same request under one key', async () => {
    const beneficiary = await org.addBeneficiary(bankBeneficiary())
    const printed = await runAll('Pay out to a bank account', { BENEFICIARY_ID: beneficiary })
    const ids = printed.map(paymentIn)
    const [first = ''] = ids
    expect(ids).toEqual([first, first, first, first])
    await ended(first, 'completed')
    expect(await org.accepted(first)).toHaveLength(1)
  }, 240_000)

  it('create the same link in four languages', async () => {
    const printed = await runAll('Create a payment link')
    const { body } = await org.call('GET', `/v1/orgs/${org.orgId}/payment-links`)
    const links: Json[] = body.data
    for (const output of printed) expect(links.some(({ url }) => output.includes(url))).toBe(true)
    const link = { amount: 1500, currency: 'KES', country: 'KE', description: 'Order 7' }
    expect(links).toEqual(languages.map(() => expect.objectContaining(link)))
  }, 240_000)

  it('accept a genuine delivery in four languages and refuse a forged one', async () => {
    const event = {
      event_id: '0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f',
      event_type: 'payment.completed',
      org_id: org.orgId,
      created_at: new Date().toISOString(),
      data: { payment_id: '0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e10', status: 'completed', sequence: 3 },
    }
    const body = JSON.stringify(event)
    const headers = signWebhook(event.event_id, body, secret, new Date())
    writeFileSync(join(directory, 'event.json'), body)
    writeFileSync(
      join(directory, 'headers.txt'),
      `${Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}`)
        .join('\n')}\n`,
    )
    for (const output of await runAll('Verify a webhook', { SWITCHYARD_WEBHOOK_SECRET: secret }))
      expect(output).toContain('payment.completed')
    const other = { SWITCHYARD_WEBHOOK_SECRET: 'whsec_Zm9yZ2VkLWJ5LXNvbWVib2R5LWVsc2U=' }
    for (const language of languages) await expect(run('Verify a webhook', language, other)).rejects.toThrow()
  }, 240_000)

  it('list the payments that failed, and no other, in four languages', async () => {
    const failed = await org.start(kenyanPayin({ amount: 100.14, target_amount: 100.14 }))
    const completed = await org.start(kenyanPayin())
    await ended(failed, 'failed')
    for (const output of await runAll('List failed payments'))
      expect([output.includes(failed), output.includes(completed)]).toEqual([true, false])
  }, 240_000)

  it('refund the same part in four languages', async () => {
    const payment = await org.start(mobileMoneyPayin())
    await ended(payment, 'completed')
    await runAll('Refund a payment', { PAYMENT_ID: payment })
    const { body } = await org.call('GET', `/v1/refunds?payment_id=${payment}`)
    const refund = { amount: 1000, currency: 'UGX', reason: 'The customer returned a book.' }
    expect(body.data).toEqual(languages.map(() => expect.objectContaining(refund)))
  }, 240_000)
})
