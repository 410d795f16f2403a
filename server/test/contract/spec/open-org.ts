import { expect } from 'vitest'
import type { CallAnswer, Json } from '../../app/test-app.ts'
import { bankBeneficiary, mobileMoneyBeneficiary } from '../../worlds/test-payments.ts'
import { openRamps, type OrgRamps } from '../../worlds/test-ramps.ts'
import { deviationsOf } from './compare.ts'
import type { SpecShape } from './fields.ts'
import type { InitiationFacts } from './requests.ts'

export interface SpecOrg extends OrgRamps {
  facts: InitiationFacts
}

/** An organisation with what the requests of the specification refer to. */
export async function openSpecOrg(t: Parameters<typeof openRamps>[0]): Promise<SpecOrg> {
  const org = await openRamps(t)
  await org.configure('hybrid', 'UG')
  const rates = '/v1/organizations/admin/exchange-rate?fromCurrency=USD&toCurrency=NGN'
  const facts: InitiationFacts = {
    orgId: org.orgId,
    userId: (await org.call('GET', '/v1/users/me')).body.data.user_id,
    bankBeneficiary: await org.addBeneficiary(bankBeneficiary()),
    momoBeneficiary: await org.addBeneficiary(mobileMoneyBeneficiary({ email: 'grace@example.com' })),
    quote: (await org.call('GET', rates)).body.data,
  }
  return { ...org, facts }
}

/** The body of a response with this status; the message of the test shows one that was refused. */
export function expectOk(answer: CallAnswer, status = 200): Json {
  expect([answer.status, status === answer.status ? '' : answer.text]).toEqual([status, ''])
  return answer.body
}

export const expectFits = (shape: SpecShape, value: unknown): void =>
  expect(deviationsOf(shape, value)).toEqual([])
