import { createHmac } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { card } from '../../../../test/secrets/canaries.ts'
import type { Json } from '../../../../test/app/test-app.ts'
import {
  ghanaianPayin,
  openPayments,
  untilSettled,
  usePayments,
} from '../../../../test/worlds/test-payments.ts'

const t = usePayments({ delayMs: untilSettled })
let org: Awaited<ReturnType<typeof openPayments>>
beforeEach(async () => {
  org = await openPayments(t)
})

/** Posts a webhook that Paystack has signed. */
async function report(data: Json): Promise<number> {
  const { body } = await t.call('GET', '/v1/payments/provider-credentials', {
    as: t.seed.platformAdmin.api_key,
  })
  const [account] = body.data.filter((row: Json) => row.provider === 'paystack')
  const rawBody = JSON.stringify({ event: 'charge.success', data })
  const signature = createHmac('sha512', 'sk_test_switchyard_sandbox').update(rawBody).digest('hex')
  const answer = await t.call('POST', new URL(account.webhook_url).pathname, {
    rawBody,
    headers: { 'x-paystack-signature': signature },
    unaudited: true,
  })
  return answer.status
}

async function storedText(): Promise<string> {
  const tables = ['inbox', 'exceptions', 'payments', 'attempts', 'events']
  const texts = await Promise.all(
    tables.map(async (table) => {
      const { rows } = await t.owner.query(`select ${table}::text as text from ${table}`)
      return JSON.stringify(rows)
    }),
  )
  return texts.join()
}

describe('a card number in a provider’s message', () => {
  it('is stored neither as a reference that nobody knows nor as an id', async () => {
    const rows = async (): Promise<number> => (await t.owner.query('select from inbox')).rowCount ?? 0
    const before = await rows()
    const unknown = { id: 7, status: 'success', reference: card, amount: 10_00, currency: 'GHS' }
    expect(await report(unknown)).toBe(200)
    expect(await report({ ...unknown, reference: `${card.slice(0, 4)} ${card.slice(4)}` })).toBe(200)
    // The two references are still told apart.
    expect(await rows()).toBe(before + 2)
    expect(await storedText()).not.toContain(card)
    expect(await storedText()).not.toContain(card.slice(4))
  })

  it('does not keep the message from completing its payment', async () => {
    const id = await org.start(ghanaianPayin({ amount: 10, target_amount: 10 }))
    const [attempt] = await org.attempts(id)
    const { reference } = attempt.data
    await report({ id: Number(card), status: 'success', reference, amount: 10_00, currency: 'GHS' })
    expect((await org.record(id)).status).toBe('completed')
    expect(await storedText()).not.toContain(card)
  })
})
