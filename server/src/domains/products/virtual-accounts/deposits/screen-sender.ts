import type { Tx } from '../../../../kernel/db/database.ts'
import { ibanProblem } from '../../../../lib/instruments/bank-account.ts'
import {
  hasBlockedIdentifier,
  isHeldByMatch,
  isRecordBlocked,
} from '../../../compliance/sanctions/matches/check-people.ts'
import { listIdentifiers } from '../../../compliance/sanctions/matches/list-identifiers.ts'
import { screenParties, type ScreeningResult } from '../../../compliance/sanctions/matches/screen-subjects.ts'
import { screeningOpen } from '../../../compliance/suspensions/errors.ts'
import type { Arrival, DepositDeps, SuspendedDeposit } from './record.ts'

/** A deposit has arrived whoever sent it: the verdict decides only whether somebody may have it. */
export async function screenSender(
  deps: DepositDeps,
  { account: { orgId }, deposit: { sender } }: Arrival,
  depositId: string,
): Promise<ScreeningResult> {
  const { name, accountNumber } = sender
  const iban = accountNumber !== undefined && ibanProblem(accountNumber) === undefined
  const parties = {
    subjects: name ? [{ kind: 'depositor' as const, subjectId: depositId, person: { name } }] : [],
    identifiers: listIdentifiers({
      country: '',
      accounts: [iban ? { iban: accountNumber } : { accountNumber }],
    }),
  }
  const isBlocked = await hasBlockedIdentifier(deps, orgId, parties.identifiers)
  return screenParties(deps, orgId, { subjectId: depositId, isBlocked, ...parties })
}

/** Neither credited nor returned while the sender possibly is on a list, or is. */
export async function assertSenderClear(
  tx: Tx,
  { orgId, exceptionId }: Pick<SuspendedDeposit, 'orgId' | 'exceptionId'>,
): Promise<void> {
  const subject = { paymentId: exceptionId, beneficiaryId: null, leaves: false }
  if ((await isHeldByMatch(tx, orgId, subject)) || (await isRecordBlocked(tx, orgId, exceptionId)))
    throw screeningOpen()
}
