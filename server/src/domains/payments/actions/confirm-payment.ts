import type { Caller } from '../../../lib/requests/access.ts'
import { forbidden, type AppError } from '../../../lib/errors.ts'
import { auditStatement } from '../../records/audit-log/record-audit.ts'
import {
  assertIndependent,
  hasSecondOperator,
  type IndependenceDeps,
} from '../../people/empowerments/reads.ts'
import { applyFact } from '../attempts/apply-fact.ts'
import { operatorConfirms, twoOperatorsResolve, wrongState } from '../errors.ts'
import { loadPayment } from '../reads/get-payment.ts'
import {
  openAttempt,
  type LoadedPayment,
  type Payment,
  type PaymentDeps,
  type StoredAttempt,
} from '../record.ts'
import type { Fact } from '../lifecycle/rules.ts'
import { findOpenPaymentOrgAcrossOrgs } from '../store.ts'

/**
 * Staff report the outcome of a payment of the manual provider. Where the operator has two people, they resolve what was
 * paid at the installation’s account together.
 */
export async function confirmPayment(
  deps: PaymentDeps & IndependenceDeps,
  caller: Caller,
  input: { paymentId: string; outcome: 'completed' | 'failed'; comments: string | null },
): Promise<LoadedPayment> {
  const orgId = await orgOf(deps, caller, input.paymentId)
  const loaded = await loadPayment(deps, orgId, input.paymentId)
  const attempt = openAttempt(loaded)
  if (!attempt) throw notConfirmable()
  assertMayConfirm(caller, loaded.payment, attempt)
  if (attempt.custody === 'pooled' && (await deps.db.acrossOrgs((tx) => hasSecondOperator(deps, tx, caller))))
    throw twoOperatorsResolve()
  await assertIndependent(deps, caller, { orgId, others: [loaded.payment.userId] })
  const fact: Fact = {
    kind: 'accepted',
    providerRef: attempt.providerRef,
    providerStatus: `confirmed_${input.outcome}`,
    state:
      input.outcome === 'completed'
        ? { state: 'completed' }
        : {
            state: 'failed',
            failure: { code: 'CONFIRMED_FAILED', message: 'Staff confirmed that the payment failed.' },
          },
  }
  return applyFact(deps, loaded, fact, {
    attemptNo: attempt.attemptNo,
    canSend: false,
    extraStatements: [
      auditStatement(caller, orgId, {
        action: 'payment.confirm',
        resourceType: 'payment',
        resourceId: input.paymentId,
        before: { status: loaded.payment.status },
        after: { outcome: input.outcome, comments: input.comments },
      }),
    ],
  })
}

const isOperator = (caller: Caller): boolean => caller.permissions.has('platform:write')

/** The operator confirms what was paid at the installation's account, for every organisation. */
async function orgOf(deps: PaymentDeps, caller: Caller, paymentId: string): Promise<string> {
  if (!isOperator(caller)) return caller.orgId
  return (await deps.db.acrossOrgs((tx) => findOpenPaymentOrgAcrossOrgs(tx, paymentId))) ?? caller.orgId
}

/** The person who started a payment cannot confirm that it was carried out. */
function assertMayConfirm(caller: Caller, payment: Payment, attempt: StoredAttempt): void {
  if (attempt.provider !== 'manual' || attempt.state !== 'accepted') throw notConfirmable()
  if (attempt.custody === 'pooled' && !isOperator(caller)) throw operatorConfirms()
  if (payment.userId === caller.userId)
    throw forbidden('You cannot confirm a payment that you started. Another member has to confirm it.')
}

const notConfirmable = (): AppError =>
  wrongState('Only an open payment of the manual provider is confirmed by hand.')
