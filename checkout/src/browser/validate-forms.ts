import { brandOf, groupDigits } from './card-brands.ts'
import { showWork } from './show-work.ts'

const digitsOf = (text: string): string => text.replaceAll(/\D/g, '')

function passesLuhn(digits: string): boolean {
  let sum = 0
  for (const [index, character] of Array.from(digits).toReversed().entries()) {
    const doubled = Number(character) * (index % 2 === 1 ? 2 : 1)
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return digits.length >= 13 && digits.length <= 19 && sum % 10 === 0
}

function isFutureMonth(text: string): boolean {
  const digits = digitsOf(text)
  const month = digits.slice(0, 2)
  const year = digits.slice(2)
  if (!/^(0[1-9]|1[0-2])$/.test(month) || !/^(\d{2}|\d{4})$/.test(year)) return false
  const end = new Date(Number(year.length === 2 ? `20${year}` : year), Number(month), 1)
  return end.getTime() > Date.now()
}

function isEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(text.trim())
}

const checks: Readonly<Record<string, (text: string) => boolean>> = {
  amount: (text) => Number(text.replace(',', '.')) > 0,
  email: isEmail,
  'email-or-none': (text) => text.trim() === '' || isEmail(text),
  card: (text) => passesLuhn(digitsOf(text)),
  expiry: isFutureMonth,
  cvc: (text) => /^\d{3,4}$/.test(text),
  phone: (text) => digitsOf(text).length >= 7,
  network: (text) => text !== '',
  otp: (text) => /^[A-Za-z0-9]{3,12}$/.test(text.trim()),
}

const formatters: Readonly<Record<string, (text: string) => string>> = {
  card: (text) => groupDigits(digitsOf(text)),
  expiry: (text) =>
    digitsOf(text)
      .slice(0, 6)
      .replace(/^(\d{2})(?=\d)/, '$1/'),
}

type Control = HTMLInputElement | HTMLSelectElement

function validate(control: Control): boolean {
  const isValid = checks[control.dataset['check'] ?? '']?.(control.value) ?? true
  const error = document.querySelector<HTMLElement>(`#${control.id}-error`)
  if (error) {
    const { missing, wrong } = error.dataset
    if (missing !== undefined) error.textContent = (control.value.trim() === '' ? missing : wrong) ?? ''
    error.hidden = isValid
  }
  if (isValid) control.removeAttribute('aria-invalid')
  else control.setAttribute('aria-invalid', 'true')
  return isValid
}

/** Groups the digits while the payer types, unless the caret is in the middle of the text. */
function formatValue(input: HTMLInputElement): void {
  const formatted = formatters[input.dataset['check'] ?? '']?.(input.value)
  const isAtEnd = input.selectionStart === input.value.length
  if (formatted !== undefined && isAtEnd) input.value = formatted
}

function showBrand(input: HTMLInputElement): void {
  const mark = document.querySelector<HTMLElement>('[data-card-brand]')
  const brand = brandOf(digitsOf(input.value))
  if (!mark || mark.textContent === brand) return
  mark.textContent = brand
  mark.dataset['cardBrand'] = brand
}

/** Moves the focus to the invalid field, or to the list of errors if there are several. */
function report(invalid: readonly Control[]): void {
  const summary = document.querySelector<HTMLElement>('[data-summary]')
  for (const item of summary?.querySelectorAll<HTMLElement>('[data-for]') ?? []) {
    const control = invalid.find(({ id }) => id === item.dataset['for'])
    item.hidden = !control
    const link = item.querySelector('a')
    const text = control && document.querySelector(`#${control.id}-error`)?.textContent
    if (link && text) link.textContent = text.trim()
  }
  if (summary) summary.hidden = invalid.length < 2
  if (summary && invalid.length > 1) summary.focus()
  else invalid[0]?.focus()
}

function enhanceForm(form: HTMLFormElement): void {
  const controls = [...form.querySelectorAll<Control>('[data-check]')]
  for (const control of controls) {
    control.addEventListener('input', () => {
      if (control instanceof HTMLInputElement) {
        formatValue(control)
        if (control.dataset['check'] === 'card') showBrand(control)
      }
      if (control.getAttribute('aria-invalid') === 'true') validate(control)
    })
    control.addEventListener('change', () => control.value !== '' && validate(control))
  }
  form.addEventListener('submit', (event) => {
    // The fields of payment methods that are not selected are hidden and not validated.
    const invalid = controls.filter((control) => control.offsetParent !== null && !validate(control))
    if (invalid.length === 0) return
    event.preventDefault()
    report(invalid)
  })
}

export function validateForms(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-working]')) {
    if (!button.form) continue
    enhanceForm(button.form)
    showWork(button.form, button)
  }
}
