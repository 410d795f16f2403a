import { beforeEach, describe, expect, it } from 'vitest'
import {
  cardPayin,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'

const t = usePayments({
  delayMs: untilSettled,
  env: { CARD_BINS: 'bin,brand,country\n42424242,Visa,NG\n424242,Visa,US\n' },
})
let org: OrgPayments
beforeEach(async () => {
  org = await openPayments(t)
})

const publish = async (when: object): Promise<void> => {
  const rules = [{ name: 'Issuer', when, strategy: { type: 'priority' } }]
  const draft = await org.call('PUT', '/v1/routing/policies/draft', {
    document: { rules, otherwise: { type: 'cost' } },
  })
  await org.call('POST', `/v1/routing/policies/${draft.body.data.version}/publish`, {})
}

describe('the operator’s table of card issuers', () => {
  it('tells rules the issuer’s country, of which the payment stores the country and no further digits', async () => {
    await publish({ issuer_country: ['NG'], card_brand: ['visa'] })
    const id = await org.start(cardPayin())
    const { rows } = await t.owner.query<{ card: object; routing: { decision: object } }>(
      'select card, routing from payments where payment_id = $1',
      [id],
    )
    expect(rows[0]?.card).toEqual({
      brand: 'visa',
      first6: '424242',
      last4: '4242',
      expiry_month: expect.any(String),
      expiry_year: expect.any(String),
      issuer_country: 'NG',
    })
    expect(rows[0]?.routing.decision).toMatchObject({ rule: 'Issuer' })
    expect(JSON.stringify(rows)).not.toContain('42424242')
  })

  it('does not match a rule about another country', async () => {
    await publish({ issuer_country: ['US'] })
    const { body } = await t.call('POST', '/v1/payments-init/preview', {
      as: org.credential,
      body: cardPayin(),
      unaudited: true,
    })
    expect(body.data.routing).toMatchObject({ rule: null, strategy: 'cost' })
  })
})
