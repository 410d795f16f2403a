import type { Language } from '../languages.ts'
import type { Choice, Page, Scene } from '../scene.ts'

const live = { eventsUrl: '/events', statusUrl: '/status', state: 'x.1' }
const inProgress = { live, leave: { csrf: 'token' }, notice: undefined }

const choice: Choice = {
  kind: 'choose',
  csrf: 'token',
  version: 1,
  rateId: undefined,
  openAmount: undefined,
  asksEmail: true,
  methods: [
    { method: 'card', takesCard: true },
    { method: 'mobile_money', takesCard: false },
    { method: 'bank_transfer', takesCard: false },
  ],
  networks: [
    { value: 'MPESA', name: 'M-Pesa' },
    { value: 'AIRTEL', name: 'Airtel Money' },
  ],
  country: 'KE',
  countries: ['KE', 'GB', 'NG'],
  selected: 'card',
  values: {},
  invalid: [],
  notice: undefined,
  live,
}

const details = {
  account_name: 'Kilimani Books',
  account_number: '0123456789',
  bank_name: 'Access Bank',
  iban: 'GB33BUKB20201555555555',
  sort_code: '20-20-15',
  bank_code: '044',
  reference: 'KB-2041',
  expires_at: '2026-03-01T12:00:00.000Z',
}

/** Every state that a page can be in. */
export const sampleScenes: Readonly<Record<string, Scene>> = {
  choose: choice,
  'choose mobile money': { ...choice, selected: 'mobile_money', openAmount: { currency: 'KES' } },
  'choose with errors': {
    ...choice,
    invalid: ['card_number', 'expiry', 'cvc', 'email'],
    notice: 'noticeFields',
  },
  'choose one': { ...choice, methods: [{ method: 'card', takesCard: false }], countries: ['KE'] },
  redirect: { kind: 'redirect', url: 'https://bank.example/', isAutomatic: false, ...inProgress },
  otp: {
    kind: 'otp',
    csrf: 'token',
    hint: 'Dial *110#',
    triesLeft: undefined,
    isInvalid: false,
    ...inProgress,
  },
  'otp wrong': { kind: 'otp', csrf: 'token', hint: undefined, triesLeft: 3, isInvalid: true, ...inProgress },
  prompt: { kind: 'prompt', hint: undefined, ...inProgress },
  'prompt that cannot be left': { kind: 'prompt', hint: undefined, ...inProgress, notice: 'noticeKept' },
  transfer: { kind: 'transfer', details, ...inProgress },
  checking: { kind: 'checking', live },
  elsewhere: { kind: 'elsewhere', live },
  done: {
    kind: 'done',
    amount: { value: '1500.00', currency: 'KES' },
    reference: 'order-7',
    returnUrl: 'https://shop.example/?status=completed',
  },
  failed: {
    kind: 'failed',
    reason: 'INSUFFICIENT_FUNDS',
    retryUrl: '/pay/x?again=1',
    returnUrl: 'https://shop.example/?status=failed',
  },
  expired: { kind: 'expired', at: '2026-03-01T12:00:00.000Z' },
  canceled: { kind: 'canceled' },
  none: { kind: 'none' },
  missing: { kind: 'missing' },
  busy: { kind: 'busy' },
  trouble: { kind: 'trouble' },
}

export const samplePage = (scene: Scene, language: Language, change: Partial<Page> = {}): Page => ({
  language,
  merchant: { name: 'Kilimani Books', logoUrl: undefined, color: '#0b6e4f' },
  path: '/pay/x',
  request:
    'live' in scene
      ? {
          description: 'Order 7',
          amount: { value: '1500.00', currency: 'KES' },
          exchange: {
            receives: { value: '11.60', currency: 'USD' },
            from: 'KES',
            to: 'USD',
            rate: '0.007731',
            until: '2026-03-01T12:00:00.000Z',
          },
          payBy: scene.kind === 'choose' ? '2099-03-01T12:00:00.000Z' : undefined,
        }
      : undefined,
  scene,
  ...change,
})
