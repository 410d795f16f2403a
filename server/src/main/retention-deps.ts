import type { RetentionDays } from '../domains/office/privacy/retention/record.ts'
import type { Config } from './config.ts'

export interface RetentionSettings {
  retention: RetentionDays
}

export const createRetentionDeps = (config: Config): RetentionSettings => ({
  retention: {
    payer: config.RETENTION_PAYER_DAYS,
    beneficiary: config.RETENTION_BENEFICIARY_DAYS,
    kyb: config.RETENTION_KYB_DAYS,
    screening: config.RETENTION_SCREENING_DAYS,
    mail: config.RETENTION_MAIL_DAYS,
    requestLog: config.RETENTION_REQUEST_LOG_DAYS,
  },
})
