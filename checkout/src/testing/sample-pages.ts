import type { Language } from '../languages.ts'
import { prefixesOf } from '../networks.ts'
import type { Choice, Page, Scene } from '../scene.ts'

/** Rounded to the hour, so that pages rendered at about the same time are identical. */
const inHours = (hours: number): string =>
  `${new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 13)}:00:00.000Z`

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
    { value: 'MPESA', name: 'M-Pesa', prefixes: prefixesOf('KE', 'MPESA') },
    { value: 'AIRTEL', name: 'Airtel Money', prefixes: prefixesOf('KE', 'AIRTEL') },
  ],
  callingCode: '+254',
  country: 'KE',
  countries: ['KE', 'GB', 'NG'],
  selected: 'card',
  values: {},
  invalid: [],
  missing: [],
  notice: undefined,
  qrUrl: '/pay/x/qr',
  live,
}

const details = {
  account_name: 'Kilimani Books',
  account_number: '0123456789',
  bank_name: 'Access Bank',
  iban: 'GB33BUKB20201555555555',
  sort_code: '202015',
  bank_code: '044',
  reference: 'KB-2041',
  expires_at: inHours(24),
}

const prompt: Scene = {
  kind: 'prompt',
  hint: undefined,
  phone: '+254\u00a0•••\u00a0•••\u00a0158',
  network: { brand: 'MPESA', name: 'M-Pesa' },
  ...inProgress,
}

const receipt = {
  csrf: 'token',
  email: 'amina@example.com',
  fallback: undefined,
  isSent: false,
  isInvalid: false,
}

const done: Scene = {
  kind: 'done',
  amount: { value: '1500.00', currency: 'KES' },
  description: 'Order 7',
  reference: 'order-7',
  method: { method: 'mobile_money', detail: 'M-Pesa, +254\u00a0•••\u00a0•••\u00a0158' },
  at: '2026-03-01T12:00:00.000Z',
  returnUrl: 'https://shop.example/?status=completed',
  receipt,
  notice: undefined,
}

/** Every state that a page can be in. */
export const sampleScenes: Readonly<Record<string, Scene>> = {
  choose: choice,
  'choose mobile money': { ...choice, selected: 'mobile_money', openAmount: { currency: 'KES' } },
  'choose with errors': {
    ...choice,
    invalid: ['card_number', 'expiry', 'cvc', 'email'],
    missing: ['card_number'],
    notice: 'noticeFields',
  },
  'choose phone with errors': {
    ...choice,
    selected: 'mobile_money',
    asksEmail: false,
    values: { phone: '12' },
    invalid: ['phone', 'network'],
    notice: 'noticeFields',
  },
  'choose with a new rate': { ...choice, selected: 'bank_transfer', notice: 'noticeRate' },
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
  prompt,
  'prompt that cannot be left': { ...prompt, phone: undefined, hint: 'Dial *110#', notice: 'noticeKept' },
  transfer: { kind: 'transfer', details, ...inProgress },
  checking: { kind: 'checking', live },
  elsewhere: { kind: 'elsewhere', live },
  done,
  'done with a link’s address': {
    ...done,
    returnUrl: undefined,
    method: { method: 'card', detail: 'Visa ••••\u00a04242' },
    receipt: { ...receipt, email: undefined, fallback: 'a***@example.com', isInvalid: true },
  },
  'done and sent': { ...done, receipt: { ...receipt, isSent: true } },
  'done without more receipts': { ...done, notice: 'noticeReceipt' },
  'done, seen by others': {
    ...done,
    description: '',
    method: { method: 'bank_transfer', detail: undefined },
    receipt: undefined,
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
  country: 'KE',
  request:
    'live' in scene || scene.kind === 'failed'
      ? {
          description: 'Order 7',
          amount: { value: '1500.00', currency: 'KES' },
          exchange: {
            receives: { value: '11.60', currency: 'USD' },
            from: 'KES',
            to: 'USD',
            rate: '0.007731',
            until: inHours(2),
          },
          payBy: scene.kind === 'choose' ? inHours(76) : undefined,
        }
      : undefined,
  scene,
  ...change,
})
