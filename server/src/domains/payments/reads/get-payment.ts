import type { Caller } from '../../../lib/requests/access.ts'
import { notFound } from '../../../lib/errors.ts'
import { isOnHold } from '../holds/reads.ts'
import type { LoadedPayment, PaymentDeps, PrivateDetails } from '../record.ts'
import { readDetails } from './read-details.ts'
import { findPayment } from '../store.ts'

export interface OpenedPayment extends LoadedPayment {
  details: PrivateDetails
  onHold: boolean
}

export async function loadPayment(
  deps: Pick<PaymentDeps, 'db'>,
  orgId: string,
  paymentId: string,
): Promise<LoadedPayment> {
  const loaded = await deps.db.inOrg(orgId, (tx) => findPayment(tx, orgId, paymentId))
  if (!loaded) throw notFound('The payment')
  return loaded
}

export async function getPayment(
  deps: PaymentDeps,
  caller: Caller,
  input: { paymentId: string },
): Promise<OpenedPayment> {
  const loaded = await loadPayment(deps, caller.orgId, input.paymentId)
  return {
    ...loaded,
    details: await readDetails(deps, loaded.payment),
    onHold: await isOnHold(deps, loaded),
  }
}
