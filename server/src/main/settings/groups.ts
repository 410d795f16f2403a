import {
  kmsSettings,
  kybSettings,
  paymentSettings,
  rampSettings,
  retentionSettings,
  secretSettings,
  webhookSettings,
} from './business.ts'
import {
  archiveSettings,
  databaseSettings,
  engineSettings,
  identitySettings,
  limitSettings,
  mailSettings,
  ownerSettings,
  processSettings,
} from './processes.ts'
import { sanctionsSettings } from './sanctions.ts'

/** Every setting of the api, the worker and the commands. */
export const settings = {
  ...processSettings,
  ...databaseSettings,
  ...engineSettings,
  ...identitySettings,
  ...secretSettings,
  ...kmsSettings,
  ...mailSettings,
  ...webhookSettings,
  ...paymentSettings,
  ...kybSettings,
  ...sanctionsSettings,
  ...rampSettings,
  ...retentionSettings,
  ...limitSettings,
}

/** The same by subject, for generated pages. */
export const settingGroups = {
  Processes: processSettings,
  Database: { ...databaseSettings, ...ownerSettings },
  Archive: archiveSettings,
  Engine: engineSettings,
  'Identity provider': identitySettings,
  Secrets: { ...secretSettings, ...kmsSettings },
  Mail: mailSettings,
  Webhooks: webhookSettings,
  Payments: paymentSettings,
  KYB: kybSettings,
  'Sanctions screening': sanctionsSettings,
  'Ramps and wallet': rampSettings,
  Retention: retentionSettings,
  Limits: limitSettings,
}
