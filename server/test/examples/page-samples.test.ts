import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { signWebhook } from '@switchyard/sdk/verify-webhook'
import { waitUntil } from '@switchyard/stack/services/wait-until.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pythonSource, usePython } from '../sdk-python/use-python.ts'
import type { Json } from '../app/test-app.ts'
import {
  bankBeneficiary,
  cardPayin,
  mobileMoneyPayin,
  openPayments,
  usePayments,
  type OrgPayments,
} from '../worlds/test-payments.ts'
import { languages, readSamples, type Language } from './read-samples.ts'

const t = usePayments()
const root = join(import.meta.dirname, '../../..')
// Within the repository, so that the SDK is found by its name.
const directory = mkdtempSync(join(root, 'sdk/samples-'))
const samples = readSamples()
const secret = 'whsec_c2VjcmV0LW9mLXRoZS1zaG9wLWluLXRoZS10ZXN0'
const runLimitMs = 60_000
const programs: Record<Language, { extension: string; program: () => string }> = {
  curl: { extension: 'sh', program: () => 'bash' },
  TypeScript: { extension: 'ts', program: () => process.execPath },
  Python: { extension: 'py', program: usePython },
  'Command line': { extension: 'sh', program: () => 'bash' },
}
/** Each language has an organisation of its own, because all use the same idempotency keys. */
const orgs = new Map<Language, { org: OrgPayments; env: Record<string, string> }>()

beforeAll(async () => {
  for (const language of languages) {
    const org = await openPayments(t)
    const key = (await org.call('POST', '/v1/public/api-keys', { name: 'samples' })).body.data.api_key
    const env = {
      PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH']}`,
      PYTHONPATH: pythonSource,
      SWITCHYARD_CONFIG: join(directory, 'config.json'),
      SWITCHYARD_BASE_URL: t.url,
      SWITCHYARD_API_KEY: key,
      SWITCHYARD_WEBHOOK_SECRET: secret,
      ORG_ID: org.orgId,
    }
    orgs.set(language, { org, env })
  }
}, 60_000)
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const orgOf = (language: Language): OrgPayments => orgs.get(language)!.org

/** What the sample prints; it runs after the code of the page's first section, as a reader would run it. */
async function run(task: string, language: Language, more: Record<string, string> = {}): Promise<string> {
  const { extension, program } = programs[language]
  const code = [samples.get('Set up')?.get(language), samples.get(task)?.get(language)].join('\n')
  const file = join(directory, `sample.${extension}`)
  writeFileSync(file, extension === 'sh' ? `set -euo pipefail\n${code}` : code)
  const options = { cwd: directory, env: { ...orgs.get(language)!.env, ...more }, timeout: runLimitMs }
  return (await promisify(execFile)(program(), [file], options)).stdout
}

/** The record of the payment with the reference, once it has ended. */
async function endedPayment(org: OrgPayments, reference: string): Promise<Json> {
  const { body } = await org.call('GET', `/v1/transactions?client_reference=${reference}`)
  expect(body.data).toHaveLength(1)
  const [{ payment_id: id }] = body.data
  return await waitUntil(
    async () => {
      const record = await org.record(id)
      return record.status === 'completed' ? record : undefined
    },
    { what: `${reference} to complete` },
  )
}

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

  it.each(languages)('take a payment: %s', async (language) => {
    const org = orgOf(language)
    const printed = await run('Take a mobile money payment', language)
    const record = await endedPayment(org, 'order-1001')
    expect(printed).toContain(record.payment_id)
    expect(record).toMatchObject({
      direction: 'inbound',
      payment_method: 'mobile_money',
      amount: 5000,
      currency: 'UGX',
      payer_details: { name: 'Grace' },
    })
    await run('Take a mobile money payment', language)
    expect(await org.accepted(record.payment_id)).toHaveLength(1)
  })

  it.each(languages)('pay out to a bank account: %s', async (language) => {
    const org = orgOf(language)
    const beneficiary = await org.addBeneficiary(bankBeneficiary())
    const printed = await run('Pay out to a bank account', language, { BENEFICIARY_ID: beneficiary })
    const record = await endedPayment(org, 'salary-7')
    expect(printed).toContain(record.payment_id)
    expect(record).toMatchObject({
      direction: 'outbound',
      payment_method: 'bank_transfer',
      amount: 1500.5,
      currency: 'NGN',
    })
    expect(await org.accepted(record.payment_id)).toHaveLength(1)
  })

  it.each(languages)('create a payment link: %s', async (language) => {
    const org = orgOf(language)
    const printed = await run('Create a payment link', language)
    const { body } = await org.call('GET', `/v1/orgs/${org.orgId}/payment-links`)
    const link = { amount: 1500, currency: 'KES', country: 'KE', description: 'Order 7' }
    expect(body.data).toEqual([expect.objectContaining({ ...link, client_reference: 'order-7' })])
    expect(printed).toContain(body.data[0].url)
  })

  it.each(languages)('accept a genuine webhook and refuse a forged one: %s', async (language) => {
    const event = {
      event_id: '0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f',
      event_type: 'payment.completed',
      org_id: orgOf(language).orgId,
      created_at: new Date().toISOString(),
      data: { payment_id: '0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e10', status: 'completed', sequence: 3 },
    }
    const body = JSON.stringify(event)
    const headers = Object.entries(signWebhook(event.event_id, body, secret, new Date()))
    writeFileSync(join(directory, 'event.json'), body)
    writeFileSync(
      join(directory, 'headers.txt'),
      headers.map(([name, value]) => `${name}: ${value}\n`).join(''),
    )
    expect(await run('Verify a webhook', language)).toContain('payment.completed')
    writeFileSync(join(directory, 'event.json'), body.replace('completed', 'failed'))
    await expect(run('Verify a webhook', language)).rejects.toThrow('Command failed')
  })

  it.each(languages)('list the payments that failed, and no other: %s', async (language) => {
    const org = orgOf(language)
    const completed = await org.start(cardPayin())
    expect((await org.initiate(cardPayin({ amount: 25.26, target_amount: 25.26 }))).status).toBe(502)
    const { body } = await org.call('GET', '/v1/transactions?status=failed')
    expect(body.data).toHaveLength(1)
    const printed = await run('List failed payments', language)
    expect([printed.includes(body.data[0].payment_id), printed.includes(completed)]).toEqual([true, false])
  })

  it.each(languages)('refund a part of a payment: %s', async (language) => {
    const org = orgOf(language)
    await org.start(mobileMoneyPayin({ client_reference: 'returned' }))
    const { payment_id: payment } = await endedPayment(org, 'returned')
    const printed = await run('Refund a payment', language, { PAYMENT_ID: payment })
    const { body } = await org.call('GET', `/v1/refunds?payment_id=${payment}`)
    const refund = { amount: 1000, currency: 'UGX', reason: 'The customer returned a book.' }
    expect(body.data).toEqual([expect.objectContaining(refund)])
    expect(printed).toContain(body.data[0].refund_id)
  })
})
