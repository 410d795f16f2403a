import { beforeAll, describe, expect, it } from 'vitest'
import { memberCaller } from '@switchyard/stack/seeds/seed.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { openLinks, type OrgLinks } from '../../../../test/worlds/test-links.ts'
import {
  bankBeneficiary,
  bankPayout,
  cardPayin,
  operatorOf,
  usePayments,
} from '../../../../test/worlds/test-payments.ts'
import { draftInitiation } from './draft-payment.ts'
import { initiatePayment } from './initiate-payment.ts'
import { initiateBody } from './schema.ts'

const t = usePayments()
let org: OrgLinks
let caller: Caller
beforeAll(async () => {
  org = await openLinks(t)
  caller = memberCaller(operatorOf(t), { orgId: org.orgId, userId: 'somebody', role: 'org-admin' })
})

describe('what another process changed before the payment was written', () => {
  it('a link that another tab is paying: 409 with its own code, and no second payment', async () => {
    const { link_id: linkId } = await org.make()
    const draft = await draftInitiation(t.deps, caller, initiateBody.parse(cardPayin()))
    const link = { linkId, version: 1, sessionHash: Buffer.alloc(32) }
    const pay = () => initiatePayment(t.deps, caller, { ...draft, link })
    const outcomes = await Promise.allSettled([pay(), pay()])
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'LINK_TAKEN', status: 409 },
    })
    const { rows } = await t.owner.query('select payment_id from payments where link_id = $1', [linkId])
    expect(rows).toHaveLength(1)
  })

  it('a beneficiary that was deleted: 400 for the field, and no payment', async () => {
    const beneficiaryId = await org.addBeneficiary(bankBeneficiary())
    const draft = await draftInitiation(t.deps, caller, initiateBody.parse(bankPayout(beneficiaryId)))
    await t.owner.query('delete from beneficiaries where beneficiary_id = $1', [beneficiaryId])
    await expect(initiatePayment(t.deps, caller, draft)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'beneficiary_id' }],
    })
  })
})
