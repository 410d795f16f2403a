/** Configures the KYB provider to use the simulator's sandbox account. */
export const simulatedKyb = (simulatorUrl: string): Record<string, string> => ({
  SUMSUB_BASE_URL: `${simulatorUrl}/sumsub`,
  SUMSUB_APP_TOKEN: 'sbx:switchyard-sandbox-token',
  SUMSUB_SECRET_KEY: 'switchyard-sandbox-secret',
  SUMSUB_WEBHOOK_SECRETS: 'switchyard-sandbox-webhook',
})
