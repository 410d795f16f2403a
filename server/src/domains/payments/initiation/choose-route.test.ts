import { beforeAll, describe, expect, it } from 'vitest'
import { openPayments, usePayments, type OrgPayments } from '../../../../test/worlds/test-payments.ts'
import { chooseRoute, type RouteRequest } from './choose-route.ts'

const t = usePayments()
let org: OrgPayments
beforeAll(async () => {
  org = await openPayments(t)
})

/** Mobile money in Kenya, which several providers carry. */
const kenyan = (networkCodes: RouteRequest['networkCodes']): RouteRequest => ({
  orgId: org.orgId,
  source: { amountMinor: 50_000n, currency: 'KES' },
  attempt: {
    reference: '',
    providerRef: null,
    direction: 'payin',
    method: 'mobile_money',
    country: 'KE',
    amount: { amountMinor: 50_000n, currency: 'KES' },
    createdAt: new Date(),
  },
  details: {
    payer: { name: 'Amina', email: 'amina@example.com' },
    mobileMoney: { network: 'MPESA', phoneNumber: '+254708374149' },
    returnUrl: 'https://shop.example/back',
  },
  networkCodes,
})

describe('the reach of a mobile money network', () => {
  it('a provider that does not list the network is left out, with the reason', async () => {
    const { candidates, considered } = await chooseRoute(t.deps, kenyan({ pawapay: 'MPESA_KEN' }))
    expect(candidates).toEqual([expect.objectContaining({ provider: 'pawapay', networkCode: 'MPESA_KEN' })])
    const others = considered.filter(({ provider }) => provider !== 'pawapay')
    expect(others.length).toBeGreaterThan(0)
    for (const other of others)
      expect(other).toMatchObject({ taken: false, reason: 'it does not reach the network' })
  })

  it('no provider lists the network: 422', async () => {
    await expect(chooseRoute(t.deps, kenyan({}))).rejects.toMatchObject({
      code: 'ROUTING_CONFIG_NOT_FOUND',
      status: 422,
    })
  })
})
