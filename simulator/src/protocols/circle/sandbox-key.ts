import { createPrivateKey, X509Certificate } from 'node:crypto'

const fromBase64 = (lines: readonly string[]) => Buffer.from(lines.join(''), 'base64')

/** Generated for the simulator and used nowhere else. */
const PRIVATE_KEY = [
  'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQCsTpJHepbxk2LnEmd4t+ltlqW2UkeWgF16dUaHkezdZK/cTKpQ',
  '/fkKyoIO7yQkc4tFy7QGWr4rd7t+AJCoJKqP1X+tifSjAbY/htNhpYPtcaze3i7+ny4KssCEBEc8U0/rFR2pL9nYcNNQQZLNAQxo',
  'CAPEoTBPrLqov9OVK9fZKLZGoEx5WJB+38eHwJitYyRNhN28/aDzNim5dfWZN9sMJ4K7iw3PoSGP8FQcULJUNhRRXWYow+FRElwB',
  'B/EQ/DtcK3uh0cAZioxAm1muubKXzUXkmQrYBiz4O9tpXVon7Ed129tiAphn///KB3A//IW90mqKOT89liukKpzVGmRzAgMBAAEC',
  'ggEAClcoxitgNZ0vuUhMd10qIA6DYV6styZ69admFSq3uU2alDDxo6yqLnCav4SweZOJjyW7Zwo5EWi9EsG77KtOpRUd9W8rBEFN',
  'C6DuvJRvR2ekBTf2QAeTfsbdcM7E66TgTe5VelrJywhyVgWpZq4ibXfVqg42VQG7rfbdHr2j1X9XkdKaZP+As2uU3rsFgI+e/E/7',
  'DqT+ajp0MmJUEcoDZ6Zj6mz5yZr7Ev2+fALONE3bHmSLveWzvMLQboIWIzONXtxprrPOb1uL/agk7Yb1ywYOldZXpchecuzBOKv4',
  'VugSwrLEZFRCs43pX6hDRt5V7A/sMmeKD/ks0UJIXw4b0QKBgQDtzMkRpZA9VxPdBWeuLipi8u7+MwGkVCoMxX14FImN1J5ZmdnE',
  '5+adLdIo/j2ENdIa0Ku6c4ZYDj8EYPNVbBo13LFE8aioN/xKymL1qWnRSHIRUX2rfp/JGGhkd+Xeyp9nhT7u8DR9bB5eRHRTU1N4',
  'AZjZ+xiDhXyP+D/IjjynuwKBgQC5fpTCLQcoEhplYRfgLL6Ll/e+sVxRB2VCU0swxOtopFCgIOsi2sprhUdGRqwg1UpNMU5E5s9t',
  'X0yXyIhtN0qE6vSc7/t0wROrBmLr81q6tmdnF3CsmmyPApIraSe+3v+Rt11CbCo0xY5im4ijQyAeDAke4+R+kOZ19L8tflteqQKB',
  'gAekPwncIih2deLyW4STYzVOzTNJ/FGFitxiNEf5kPoHzRbgBMl5EkYWxNwgX2WyPRAziHEzaSvHOWswmmEyWh1E/EVU5rCRLABT',
  'RJ7UVNwu0cuQrNMn/IZ/zEr+N1rTdA/ljkIrYeRt5wPsezh6QwJmOr02fnErhvcxaQtO1tAlAoGANRs7ZbhUgzFjo0DAACtvRjH0',
  '+QB4SK6QXAPS1ByctTHN73pdN3ZiW5QlysXzA9ds1VrXaLyYCF0vZYlBHdullxZZgBDo8g1RHzbN3XWntSsBwa8hUBlKGUuII6uQ',
  'eIIJs2NG7PxgvQkOccbLwMo4CMIzXkeqpF3BzWWL0m+JozkCgYEA2VIUk/93nYResLuUu3NwGJI2M727Kmrekd3EMSF0MZxO1Wy4',
  'ughtWzbW5Su7BY4Pq4zehqOkMybbuKR9Ybu4zhcjdb8ae7s/BZ6hy85rPrAni8ia2eu6yEevwPqIitqZmuSwv1rnSjx4trqUWG3e',
  'tuONPIepA5PvYk5uXdfetSg=',
]
const CERTIFICATE = [
  'MIICsDCCAZgCAQEwDQYJKoZIhvcNAQELBQAwHTEbMBkGA1UEAwwSc25zLnNpbXVsYXRvci50ZXN0MCAXDTIwMDEwMTAwMDAwMFoY',
  'DzIxMjAwMTAxMDAwMDAwWjAdMRswGQYDVQQDDBJzbnMuc2ltdWxhdG9yLnRlc3QwggEiMA0GCSqGSIb3DQEBAQUAA4IBDwAwggEK',
  'AoIBAQCsTpJHepbxk2LnEmd4t+ltlqW2UkeWgF16dUaHkezdZK/cTKpQ/fkKyoIO7yQkc4tFy7QGWr4rd7t+AJCoJKqP1X+tifSj',
  'AbY/htNhpYPtcaze3i7+ny4KssCEBEc8U0/rFR2pL9nYcNNQQZLNAQxoCAPEoTBPrLqov9OVK9fZKLZGoEx5WJB+38eHwJitYyRN',
  'hN28/aDzNim5dfWZN9sMJ4K7iw3PoSGP8FQcULJUNhRRXWYow+FRElwBB/EQ/DtcK3uh0cAZioxAm1muubKXzUXkmQrYBiz4O9tp',
  'XVon7Ed129tiAphn///KB3A//IW90mqKOT89liukKpzVGmRzAgMBAAEwDQYJKoZIhvcNAQELBQADggEBAI9mpPK67FoaOuuTC9N/',
  'pb7FrFmXz5low2yoFrleoR9tYrcBMRQaAF7b/GKi1r7SnEOmJHAIUMvXPRVDwcGIea10Escg1HJgSzontqWP4/uDW8FcbsuBhv3c',
  '7HrCS3hdJL8T6SWNaIHLNLzyzFEkmRidIl95mgtpGjvlT0FUmacQNE9uHPK7MBB+6BMedz3EJ5MuU50XHPlt56aykfT+ijkn7FsM',
  '/9EGJMdecu9ze3RJxqf8xDq03sCdCQDqn0UuOvKVMI4RY7cNxknPPDsMLHl0EZd3FU8TNucAfajOLiu0qjJz9DtAQ+rRqvxiDQPc',
  '2m/N7ahp1PC1hO1APPyo0xQ=',
]

/** Replaces the signing key of Amazon SNS and its certificate. */
export const SANDBOX_SIGNING_KEY = createPrivateKey({
  key: fromBase64(PRIVATE_KEY),
  format: 'der',
  type: 'pkcs8',
})
export const SANDBOX_CERTIFICATE = new X509Certificate(fromBase64(CERTIFICATE)).toString()
