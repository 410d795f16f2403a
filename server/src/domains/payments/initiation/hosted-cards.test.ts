import { beforeEach, describe, expect, it } from 'vitest'
import { storeCredentials } from '../../providers/accounts/store-credentials.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import { cardForm, newPayer } from '../../../../test/worlds/test-links.ts'
import {
  cardPayin,
  mobileMoneyPayin,
  openPayments,
  operatorOf,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { addPerson } from '../../../../test/app/people.ts'

const t = usePayments()
let org: OrgPayments
beforeEach(async () => {
  org = await openPayments(t)
  await setCards('hosted_only')
})

const setCards = (cards: string, change: object = {}): Promise<CallAnswer> =>
  org.call('PATCH', `/v1/organizations/${org.orgId}`, { cards, ...change })
const initiate = (body: Json): Promise<CallAnswer> => org.call('POST', '/v1/payments-init/initiate', body)
const withoutCard = (change: object = {}): Json => {
  const { card_details: _card, ...body } = cardPayin(change)
  return body
}

describe('cards: hosted_only', () => {
  it('refuses card_details and names the setting, whatever the method', async () => {
    for (const body of [cardPayin(), mobileMoneyPayin({ card_details: cardPayin()['card_details'] })]) {
      const answer = await initiate(body)
      expect([answer.status, answer.body.code]).toEqual([422, 'CARDS_HOSTED_ONLY'])
      expect(answer.body.message).toContain('cards: hosted_only')
    }
    const { rows } = await t.owner.query('select from payments where org_id = $1', [org.orgId])
    expect(rows).toHaveLength(0)
  })

  it.each([
    ['stripe', {}],
    ['paystack', { country: 'NG', currency: 'NGN', target_currency: 'NGN' }],
  ])(
    'leads to the page of %s, and the payment is known when the payer has paid there',
    async (provider, at) => {
      const { status, body } = await initiate(withoutCard(at))
      expect([status, body.response.provider]).toEqual([200, provider])
      expect(body.response).toMatchObject({ next_action: 'redirect', status: 'pending' })
      expect(body.response.redirect_url).toContain(`/${provider}/`)
      const { payment_id: id } = body.response
      await payOnHostedPage(body.response.redirect_url)
      await t.simulator.settle({ all: true })
      expect((await org.record(id)).status).toBe('completed')
      expect((await org.record(id)).card_details).toEqual({})
      expect(await org.accepted(id)).toHaveLength(1)
    },
  )

  it('skips a provider without such a page: 422 when it was the only one', async () => {
    const baseUrl = t.simulator.providerUrl('stripe')
    const keys = {
      secretKey: 'sk_test_switchyard_sandbox',
      webhookSecrets: ['whsec_switchyard_sandbox'],
      baseUrl,
    }
    const store = (cardMode?: string) =>
      storeCredentials(t.deps, operatorOf(t), {
        provider: 'stripe',
        orgId: null,
        credentials: cardMode === undefined ? keys : { ...keys, cardMode },
      })
    await store('direct')
    t.deps.connectors.invalidate()
    try {
      const only = await initiate(
        withoutCard({
          country: 'JP',
          currency: 'JPY',
          target_currency: 'JPY',
          amount: 900,
          target_amount: 900,
        }),
      )
      expect(only.status).toBe(422)
    } finally {
      await store()
      t.deps.connectors.invalidate()
    }
  })

  it('shows no card field on the payment page, and refuses a form that has one', async () => {
    const link = await org.call('POST', `/v1/orgs/${org.orgId}/payment-links`, {
      amount: 25,
      currency: 'GBP',
      country: 'GB',
      email: 'amina@example.com',
    })
    const payer = newPayer(link.body.data)
    const page = await payer.get()
    expect(page.text).not.toContain('card_number')
    expect(page.text).toContain('You enter your card details on the next page')
    const crafted = await payer.send(cardForm('4242424242424242'))
    expect(crafted.status).toBe(422)
    expect(crafted.text).toContain('only where it is asked for')
    expect(crafted.text).not.toContain('4242424242424242')
    const begun = await payer.send({ method: 'card' })
    expect(begun.status).toBe(303)
  })
})

describe('cards: allowed, the default', () => {
  it('requires card_details, as the specification says', async () => {
    await setCards('allowed')
    const refused = await initiate(withoutCard())
    expect([refused.status, refused.body.message]).toEqual([400, 'card_details is required for card.'])
    expect((await initiate(cardPayin())).status).toBe(200)
  })
})

describe('allowing card numbers again', () => {
  it('takes a second person under four eyes; becoming stricter does not', async () => {
    await org.call('PUT', `/v1/organizations/${org.orgId}/approval-policies`, {
      policies: [{ currency: 'GBP', payout_from: 1000 }],
    })
    const second = await addPerson(t, org.orgId, 'org-admin')
    const held = await setCards('allowed')
    expect([held.status, held.body.data.kind]).toEqual([202, 'organization.cards'])
    expect((await initiate(cardPayin())).status).toBe(422)
    expect((await setCards('hosted_only')).status).toBe(200)
    const approve = `/v1/organizations/${org.orgId}/change-requests/${held.body.data.request_id}/approve`
    expect((await org.call('POST', approve, {})).status).toBe(403)
    expect((await t.call('POST', approve, { as: second.token, body: {} })).status).toBe(200)
    expect((await initiate(cardPayin())).status).toBe(200)
  })

  it('is a request of its own, so that no other change waits unnoticed', async () => {
    const answer = await setCards('allowed', { name: 'Another name' })
    expect([answer.status, answer.body.details?.[0]?.path]).toEqual([400, 'cards'])
  })
})

/** The simulator's page posts to its own address. */
async function payOnHostedPage(url: string): Promise<void> {
  const { status } = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      decision: 'pay',
      number: '4242424242424242',
      card_number: '4242424242424242',
    }),
    redirect: 'manual',
  })
  expect([200, 302, 303]).toContain(status)
}
