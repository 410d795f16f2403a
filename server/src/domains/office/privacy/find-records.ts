import { toE164 } from '../../../lib/instruments/phone.ts'
import { findBeneficiariesBy } from '../../parties/beneficiaries/erase-beneficiary.ts'
import { getBeneficiary } from '../../parties/beneficiaries/reads.ts'
import { listPaymentsTo } from '../../payments/erasure/reads.ts'
import { loadPayment } from '../../payments/reads/get-payment.ts'
import { findPaymentsOf } from '../../payments/reads/search/find-payments.ts'
import { recordTerms } from '../../payments/reads/search/record-terms.ts'
import { tooManyRecords } from './errors.ts'
import type { ErasureDeps, ErasureOrder, PersonRecords } from './record.ts'

const paymentsLimit = 5_000

/** What is stored about the person. Payments to a beneficiary of theirs have a copy of its details. */
export async function findRecords(
  deps: ErasureDeps,
  orgId: string,
  { subject, value }: ErasureOrder,
): Promise<PersonRecords> {
  switch (subject) {
    case 'payment': {
      const { payment } = await loadPayment(deps, orgId, value)
      return { paymentIds: payment.erasedAt ? [] : [payment.paymentId], beneficiaryIds: [] }
    }
    case 'beneficiary':
      return ofBeneficiaries(deps, orgId, [await findBeneficiary(deps, orgId, value)], [])
    case 'email':
    case 'phone': {
      // The newest payments may not be in the index yet.
      await recordTerms(deps)
      const limit = paymentsLimit + 1
      const paymentIds = await findPaymentsOf(deps, orgId, { kind: subject, value, limit })
      const beneficiaryIds = await findBeneficiariesBy(deps, orgId, (details, country) =>
        subject === 'email'
          ? details.email?.trim().toLowerCase() === value.trim().toLowerCase()
          : [details.phone_number, details.momo_details?.phone_number].some(
              (number) => typeof number === 'string' && toE164(number, country) === toE164(value, ''),
            ),
      )
      return ofBeneficiaries(deps, orgId, beneficiaryIds, paymentIds)
    }
  }
}

/** A beneficiary that was deleted may still be named by payments. */
async function findBeneficiary(deps: ErasureDeps, orgId: string, beneficiaryId: string): Promise<string> {
  const payments = await deps.db.inOrg(orgId, (tx) => listPaymentsTo(tx, orgId, beneficiaryId))
  if (payments.length === 0) await getBeneficiary(deps, orgId, { beneficiaryId })
  return beneficiaryId
}

async function ofBeneficiaries(
  deps: ErasureDeps,
  orgId: string,
  beneficiaryIds: string[],
  own: readonly string[],
): Promise<PersonRecords> {
  const paid = await deps.db.inOrg(orgId, async (tx) => {
    const lists: string[][] = []
    for (const id of beneficiaryIds) lists.push(await listPaymentsTo(tx, orgId, id))
    return lists.flat()
  })
  const paymentIds = [...new Set([...own, ...paid])]
  if (paymentIds.length > paymentsLimit) throw tooManyRecords(paymentsLimit)
  return { paymentIds, beneficiaryIds }
}
