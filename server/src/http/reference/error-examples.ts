import { STATUS_CODES } from 'node:http'

const amount = 'amount must be a positive number below 1000000000000000, such as 1500.25.'

/** The body of each error, without the fields that depend on its shape. */
const bodies: Readonly<Record<string, object>> = {
  400: { message: amount, code: 'VALIDATION_ERROR', details: [{ path: 'amount', message: amount }] },
  401: { message: 'The API key is unknown, revoked or expired.', code: 'UNAUTHORIZED' },
  403: {
    message: 'Your role or key lacks the permission payments:write. Ask an org-admin to grant it.',
    code: 'FORBIDDEN',
  },
  404: {
    message: 'The payment was not found. Check its id; ids of other organisations are not visible.',
    code: 'NOT_FOUND',
  },
  409: { message: 'The payment is completed and cannot be canceled.', code: 'CONFLICT' },
  413: { message: 'The body is larger than 262144 bytes.', code: 'PAYLOAD_TOO_LARGE' },
  415: { message: 'Send the body as application/json.', code: 'UNSUPPORTED_MEDIA_TYPE' },
  422: {
    message: 'No provider serves card payins of JPY in JP. Check the country, method, currency and amount.',
    code: 'ROUTING_CONFIG_NOT_FOUND',
  },
  429: { message: 'Too many requests. Wait and try again.', code: 'RATE_LIMITED' },
  500: { message: 'Something went wrong. Quote the request id to support.', code: 'INTERNAL_ERROR' },
  502: {
    message: 'Every provider refused the payment or could not be reached. No money has moved.',
    code: 'ALL_PROVIDERS_FAILED',
    payment_id: '0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f',
    failure: { code: 'CARD_DECLINED', message: 'The bank declined the card.' },
  },
  503: { message: 'The service is not available. Try again in a second.', code: 'SERVICE_UNAVAILABLE' },
}

/** An example of the error: `{status: "error", …}`, or `{error, …}` for an initiation. */
export const errorExample = (status: string, { isInitiation }: { isInitiation: boolean }): object => ({
  ...(isInitiation ? { error: STATUS_CODES[status] } : { status: 'error' }),
  ...bodies[status],
  request_id: '0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f',
})
