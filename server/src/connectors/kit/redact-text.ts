import { redactCardNumbers } from '../../lib/instruments/card-number.ts'
import type { NextAction } from './connector.ts'

interface ReportedText {
  providerStatus: string
  nextAction?: NextAction | undefined
}

/** The free text that a provider reports about a payment, without card numbers, because it is stored. */
export const redactText = ({ providerStatus, nextAction }: ReportedText): ReportedText => ({
  providerStatus: redactCardNumbers(providerStatus),
  nextAction: nextAction && redactAction(nextAction),
})

const redactAction = (action: NextAction): NextAction =>
  (action.type === 'wait' || action.type === 'collect_otp') && action.message !== undefined
    ? { ...action, message: redactCardNumbers(action.message) }
    : action
