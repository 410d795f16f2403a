import type { Attack } from '../attacks/attack.ts'
import type { RobberyInstallation } from '../installation.ts'
import { gatherEvidence } from '../evidence.ts'
import { guardedLimits, operatorMaximum } from '../rules.ts'
import type { Heard, Step } from '../thief.ts'
import type { Violation } from './judge.ts'
import { empoweredDecided, operatorAlone } from './lineage.ts'
import { paidToListed } from './listed.ts'
import {
  operatorLoses,
  outsideBounds,
  paidTwice,
  rampsWithoutCollection,
  unverifiedPaidOut,
} from './operator.ts'
import { lostToRates } from './rates.ts'
import { belowLimits, confirmedAlone, confirmedByNobody, fourEyes, messagesLost } from './records.ts'

/** What must hold at any moment, also while payments are under way. */
export async function judgeStanding(installation: RobberyInstallation): Promise<Violation[]> {
  const evidence = await gatherEvidence(installation)
  const bounds = new Map([[operatorMaximum.currency, operatorMaximum.minor]])
  const { guarded, founded, unverified } = installation.people
  const { witness } = installation
  return [
    ...operatorLoses(evidence),
    ...paidTwice(evidence),
    ...rampsWithoutCollection(evidence),
    ...outsideBounds(evidence, bounds),
    ...unverifiedPaidOut(evidence, unverified.orgId),
    ...belowLimits(evidence),
    ...confirmedByNobody(evidence),
    ...confirmedAlone(evidence),
    ...messagesLost(evidence),
    ...[guarded, founded].flatMap(({ orgId }) => fourEyes(evidence, { orgId, ...guardedLimits })),
    ...empoweredDecided(evidence),
    ...operatorAlone(evidence),
    ...paidToListed(evidence, witness.listed),
    ...lostToRates(evidence, witness),
  ]
}

/** `npm run audit` over the whole installation. */
export async function judgeAudit(installation: RobberyInstallation): Promise<Violation[]> {
  try {
    await installation.audit()
    return []
  } catch (error) {
    return [{ judge: 'audit', subject: 'npm run audit', problem: String(error) }]
  }
}

/** An attack that stumbled on its way to the decisive request would prove nothing. */
export const judgeAnswer = ({ name, hears }: Attack, { status, text }: Heard): Violation[] =>
  hears.test(`${status} ${text}`)
    ? []
    : [{ judge: 'other answer', subject: name, problem: `it heard ${status} ${text.slice(0, 300)}` }]

const serverErrors = [500, 599]

/** Answers that no thief may get: another organisation's texts, and errors of the server itself. */
export const judgeAnswers = (steps: readonly Step[], canary: string): Violation[] =>
  steps.flatMap(({ endpoint, heard, sent }): Violation[] => {
    const problem = `${sent.slice(0, 200)}: ${heard.status} ${heard.text.slice(0, 300)}`
    if (heard.text.includes(canary) && !sent.includes(canary))
      return [{ judge: 'canary seen', subject: canary, problem }]
    return serverErrors.includes(heard.status) ? [{ judge: 'server error', subject: endpoint, problem }] : []
  })
