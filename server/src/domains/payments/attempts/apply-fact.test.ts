import { beforeAll, describe, expect, it } from 'vitest'
import { isBeneficiaryGone } from '../../../kernel/db/errors.ts'
import { newId } from '../../../lib/ids.ts'
import {
  mobileMoneyPayin,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { lockBeneficiaryForPayment } from '../../parties/beneficiaries/reads.ts'
import { loadPayment } from '../reads/get-payment.ts'
import type { PaymentDeps } from '../record.ts'
import type { Fact } from '../lifecycle/rules.ts'
import { applyFact } from './apply-fact.ts'

const t = usePayments({ delayMs: untilSettled })
let org: OrgPayments
beforeAll(async () => {
  org = await openPayments(t)
})

/** The same dependencies, with a count of the transactions that were tried. */
function counting(deps: PaymentDeps): { deps: PaymentDeps; tries: () => number } {
  let tries = 0
  const batchInOrg: PaymentDeps['db']['batchInOrg'] = (orgId, batch) => {
    tries++
    return deps.db.batchInOrg(orgId, batch)
  }
  return { deps: { ...deps, db: { ...deps.db, batchInOrg } }, tries: () => tries }
}

const evidence = { attemptNo: 1, canSend: false }
const accepted = (state: 'processing' | 'completed'): Fact => ({
  kind: 'accepted',
  providerRef: null,
  providerStatus: state,
  state: { state },
})

describe('a transaction that fails', () => {
  it('on an outdated version is planned again on the current one', async () => {
    const paymentId = await org.start(mobileMoneyPayin())
    const outdated = await loadPayment(t.deps, org.orgId, paymentId)
    await applyFact(t.deps, outdated, accepted('processing'), evidence)
    const { deps, tries } = counting(t.deps)
    const { payment } = await applyFact(deps, outdated, accepted('completed'), evidence)
    expect(tries()).toBe(2)
    expect([payment.status, payment.version]).toEqual(['completed', outdated.payment.version + 2])
    expect((await org.record(paymentId)).status).toBe('completed')
  })

  it('for a reason that a retry cannot cure is tried once, and its error is passed on', async () => {
    const paymentId = await org.start(mobileMoneyPayin())
    const loaded = await loadPayment(t.deps, org.orgId, paymentId)
    const { deps, tries } = counting(t.deps)
    const extraStatements = [lockBeneficiaryForPayment(org.orgId, newId())]
    const error: unknown = await applyFact(deps, loaded, accepted('completed'), {
      ...evidence,
      extraStatements,
    }).catch((thrown: unknown) => thrown)
    expect(isBeneficiaryGone(error)).toBe(true)
    expect(tries()).toBe(1)
    expect((await org.record(paymentId)).status).toBe(loaded.payment.status)
  })
})
