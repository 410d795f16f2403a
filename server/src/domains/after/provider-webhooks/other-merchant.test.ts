import { beforeEach, describe, expect, it } from 'vitest'
import { expectCleanAudit, postToSimulator } from '../../../../test/worlds/test-accounts.ts'
import type { Json } from '../../../../test/app/test-app.ts'
import {
  bankTransferPayin,
  mobileMoneyPayin,
  mobileMoneyBeneficiary,
  mobileMoneyPayout,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'

/**
 * Messages that the provider itself has signed, about a payment of another of its merchants, who has put our reference
 * into it and our address into the settings of their own account.
 */
const t = usePayments({ delayMs: untilSettled, env: { LOG_LEVEL: 'silent' } })
let org: OrgPayments
beforeEach(async () => {
  org = await openPayments(t)
})

const inGermany = { country: 'DE', currency: 'EUR', target_currency: 'EUR' }
const large = { ...inGermany, amount: 25_000, target_amount: 25_000 }
const payins: Record<string, () => Json> = {
  pawapay: () => mobileMoneyPayin(),
  truelayer: () => bankTransferPayin(large),
}

async function begin(provider: string, body: Json): Promise<{ id: string; page: string | undefined }> {
  const answer = await org.initiate(body)
  expect(answer.text).toContain('"statusCode":200')
  const { payment_id: id, redirect_url: page } = answer.body.response
  expect((await org.record(id)).provider).toBe(provider)
  return { id, page }
}

async function sendAsOtherMerchant(
  provider: string,
  id: string,
  state: string,
  more: Json = {},
): Promise<void> {
  const { rows } = await t.owner.query<{ reference: string }>(
    'select reference from attempts where payment_id = $1',
    [id],
  )
  await postToSimulator(t, `/${provider}/_webhooks/send`, {
    reference: rows[0]?.reference,
    other_merchant: { state, amount: '1.00', ...more },
  })
  const { status } = t.simulator.webhooks(provider).at(-1)?.attempts[0] ?? {}
  expect(status).toBe(200)
}

const lastMessage = async (id: string): Promise<Json> => {
  const { rows } = await t.owner.query(
    'select verdict, result from inbox where payment_id = $1 order by created_at desc limit 1',
    [id],
  )
  return rows[0]
}
const asked = { verdict: 'provider', result: 'perhaps about another merchant: the provider is asked' }

describe.each(Object.keys(payins))(
  '%s: a genuine message about a payment of another merchant',
  (provider) => {
    it('completes no payin, which its own payer can still pay', async () => {
      const { id, page } = await begin(provider, payins[provider]?.() ?? {})
      const [before, postings] = [await org.record(id), await org.postings(id)]
      await sendAsOtherMerchant(provider, id, 'completed')
      expect((await org.record(id)).status).toBe(before.status)
      expect(await org.postings(id)).toEqual(postings)
      expect(await lastMessage(id)).toEqual(asked)
      if (page) await fetch(page, { method: 'POST', body: new URLSearchParams({ decision: 'pay' }) })
      await t.simulator.settle({ all: true })
      expect((await org.record(id)).status).toBe('completed')
      await expectCleanAudit(t)
    })

    it('completes no payin when it names its amount, or another reference', async () => {
      const { id } = await begin(provider, payins[provider]?.() ?? {})
      const [before, postings] = [await org.record(id), await org.postings(id)]
      const amount = String(before.amount)
      for (const has_reference of [true, false])
        await sendAsOtherMerchant(provider, id, 'completed', { amount, has_reference })
      expect((await org.record(id)).status).toBe(before.status)
      expect(await org.postings(id)).toEqual(postings)
      await expectCleanAudit(t)
    })

    it('fails no payin, and takes none back', async () => {
      const { id, page } = await begin(provider, payins[provider]?.() ?? {})
      await sendAsOtherMerchant(provider, id, 'failed')
      expect((await org.record(id)).status).not.toBe('failed')
      if (page) await fetch(page, { method: 'POST', body: new URLSearchParams({ decision: 'pay' }) })
      await t.simulator.settle({ all: true })
      const postings = await org.postings(id)
      for (const state of ['failed', 'reversed']) await sendAsOtherMerchant(provider, id, state)
      expect((await org.record(id)).status).toBe('completed')
      expect(await org.postings(id)).toEqual(postings)
      expect(await org.exceptions()).toEqual([])
    })
  },
)

it('pawapay: a payout that was paid is not given back by a failed one of another merchant', async () => {
  const beneficiaryId = await org.addBeneficiary(mobileMoneyBeneficiary())
  const { id } = await begin('pawapay', mobileMoneyPayout(beneficiaryId))
  await t.simulator.settle({ all: true })
  const [before, postings] = [await org.record(id), await org.postings(id)]
  expect(before.status).toBe('completed')
  await sendAsOtherMerchant('pawapay', id, 'failed')
  expect((await org.record(id)).status).toBe('completed')
  expect(await org.postings(id)).toEqual(postings)
})
