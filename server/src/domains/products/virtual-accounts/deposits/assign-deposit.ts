import { z } from 'zod'
import { runStatements, type Tx } from '../../../../kernel/db/database.ts'
import { installationOrgId } from '../../../../kernel/db/vault.ts'
import { outboxChannel } from '../../../../kernel/engine/outbox.ts'
import { account as ledgerAccount, insertTransfers } from '../../../../kernel/ledger/transfers.ts'
import type { Caller } from '../../../../lib/requests/access.ts'
import type { Clock } from '../../../../lib/clock.ts'
import { newId } from '../../../../lib/ids.ts'
import { formatMinor } from '../../../../lib/money/money.ts'
import type { ChangeApplier, ChangeControl, MaybeHeld } from '../../../people/change-requests/record.ts'
import { closeExceptionIn } from '../../../people/exceptions/close-exception.ts'
import { withExceptions } from '../../../people/exceptions/reads.ts'
import type { ExceptionDeps, ExceptionRow } from '../../../people/exceptions/record.ts'
import { findAccountIn } from '../reads.ts'
import { custodyOf } from '../../../providers/accounts/rules.ts'
import { otherCustody } from '../transactions/errors.ts'
import { creditOf } from './credit-deposit.ts'
import { cannotTake, noSuchAccount } from './errors.ts'
import { backToProvider, openDeposit } from './open-deposit.ts'
import { resolveSuspended } from './store.ts'

export interface AssignDeps extends ExceptionDeps {
  changeControl: ChangeControl
}

interface Assignment {
  exceptionId: string
  accountId: string
  comment: string | null
}

/**
 * A person has identified the recipient. The operator may assign deposits of the installation's own account, which takes
 * two of them where there are two.
 */
export function assignDeposit(
  deps: AssignDeps,
  caller: Caller,
  input: Assignment,
): Promise<MaybeHeld<ExceptionRow>> {
  return withExceptions(deps, caller, 'write', async (tx, { withInstallation }) => {
    const { deposit, account } = await assignable(tx, caller, withInstallation, input)
    const isPooled = custodyOf(deposit) === 'pooled'
    const held =
      isPooled && withInstallation
        ? await deps.changeControl.holdForOperators(tx, caller, {
            orgId: installationOrgId,
            kind: 'deposit.assign',
            payload: {
              exception_id: input.exceptionId,
              account_id: input.accountId,
              comment: input.comment,
            } satisfies z.infer<typeof requested>,
            summary: `Assign a deposit of ${formatMinor(deposit.amountMinor, deposit.currency)} ${deposit.currency} to virtual account ${account.accountId}.`,
          })
        : undefined
    return held ? { held } : { done: await writeAssignment(deps, tx, caller, { withInstallation, ...input }) }
  })
}

const requested = z.object({
  exception_id: z.uuid(),
  account_id: z.uuid(),
  comment: z.string().nullable(),
})

export const depositApplier = (deps: { clock: Clock }): ChangeApplier => ({
  isOperators: true,
  async apply(tx, approver, { payload }) {
    const { exception_id: exceptionId, account_id: accountId, comment } = requested.parse(payload)
    await writeAssignment(deps, tx, approver, { exceptionId, accountId, comment, withInstallation: true })
  },
})

async function assignable(
  tx: Tx,
  caller: Caller,
  withInstallation: boolean,
  input: Pick<Assignment, 'exceptionId' | 'accountId'>,
) {
  const deposit = await openDeposit(tx, caller, withInstallation, input.exceptionId)
  const account = await findAccountIn(tx, withInstallation ? undefined : caller.orgId, input.accountId)
  if (!account) throw noSuchAccount()
  const isTaker = account.accountType === 'currency' && account.status !== 'closed'
  if (account.currency !== deposit.currency || !isTaker) throw cannotTake(deposit.currency)
  // The money is in the custody of the account that received it.
  if (account.custody !== custodyOf(deposit)) throw otherCustody()
  return { deposit, account }
}

async function writeAssignment(
  deps: { clock: Clock },
  tx: Tx,
  caller: Caller,
  { withInstallation, ...input }: Assignment & { withInstallation: boolean },
): Promise<ExceptionRow> {
  const { deposit, account } = await assignable(tx, caller, withInstallation, input)
  const at = deps.clock.now()
  const transactionId = newId()
  const amount = { amountMinor: deposit.amountMinor, currency: deposit.currency }
  const isOwn = account.orgId === deposit.orgId
  await runStatements(tx, [
    // Moves the amount from the installation's books to the organisation's; each has its own balance of the provider.
    ...(isOwn ? [] : [insertTransfers(deposit.orgId, [backToProvider(deposit, 'suspense.assigned')])]),
    ...creditOf(account.orgId, {
      transactionId,
      accountId: account.accountId,
      amount,
      source: isOwn ? ledgerAccount.suspense : ledgerAccount.provider(deposit.provider, deposit.accountId),
      description: 'Deposit, assigned by hand',
      reference: deposit.providerRef,
      at,
    }),
  ])
  await resolveSuspended(tx, deposit.orgId, {
    exceptionId: input.exceptionId,
    status: 'assigned',
    transactionId,
    at,
  })
  tx.notifyAfterCommit(outboxChannel)
  const said = input.comment === null ? '' : `: ${input.comment}`
  return closeExceptionIn(tx, caller, deposit.orgId, {
    exceptionId: input.exceptionId,
    resolution: `Assigned to virtual account ${account.accountId}${said}`,
  })
}
