import paymentProcessing from './payment-processing.json' with { type: 'json' }
import paymentCompleted from './payment-completed.json' with { type: 'json' }
import paymentFailed from './payment-failed.json' with { type: 'json' }
import paymentRefunded from './payment-refunded.json' with { type: 'json' }
import transactionUpdated from './transaction-updated.json' with { type: 'json' }
import virtualAccountFrozen from './virtual-account-frozen.json' with { type: 'json' }
import virtualAccountUnfrozen from './virtual-account-unfrozen.json' with { type: 'json' }
import type { TriggerFile } from './trigger-file.ts'

/** Every event that can be triggered. To add one, add a file and a line here. */
export const triggers: readonly TriggerFile[] = [
  paymentProcessing,
  paymentCompleted,
  paymentFailed,
  paymentRefunded,
  transactionUpdated,
  virtualAccountFrozen,
  virtualAccountUnfrozen,
]
