export const FAULTS_BEFORE_ACCEPTANCE = [
  'timeout_before',
  'error_500',
  'rate_limit',
  'refuse',
  'down',
] as const
const FAULTS_AFTER_ACCEPTANCE = [
  'timeout_after',
  'error_500_accepted',
  'cut_answer',
  'malformed_200',
] as const
export const CALL_FAULTS = [...FAULTS_BEFORE_ACCEPTANCE, ...FAULTS_AFTER_ACCEPTANCE, 'decline'] as const
export const WEBHOOK_FAULTS = [
  'webhook_duplicate',
  'webhook_reorder',
  'webhook_drop',
  'webhook_delay',
] as const

export type CallFault = (typeof CALL_FAULTS)[number]
export type WebhookFault = (typeof WEBHOOK_FAULTS)[number]
export type FaultName = 'latency' | CallFault | WebhookFault
