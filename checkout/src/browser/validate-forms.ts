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

const checks: Readonly<Record<string, (text: string) => boolean>> = {
  amount: (text) => Number(text.replace(',', '.')) > 0,
  email: (text) => /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(text.trim()),
  card: (text) => passesLuhn(digitsOf(text)),
  expiry: isFutureMonth,
  cvc: (text) => /^\d{3,4}$/.test(text),
  phone: (text) => digitsOf(text).length >= 7,
  otp: (text) => /^[A-Za-z0-9]{3,12}$/.test(text.trim()),
}

const formatters: Readonly<Record<string, (text: string) => string>> = {
  card: (text) =>
    digitsOf(text)
      .slice(0, 19)
      .replaceAll(/(\d{4})(?=\d)/g, '$1 '),
  expiry: (text) =>
    digitsOf(text)
      .slice(0, 6)
      .replace(/^(\d{2})(?=\d)/, '$1/'),
}

function validate(input: HTMLInputElement): boolean {
  const isValid = checks[input.dataset['check'] ?? '']?.(input.value) ?? true
  const error = document.querySelector<HTMLElement>(`#${input.id}-error`)
  if (error) error.hidden = isValid
  if (isValid) input.removeAttribute('aria-invalid')
  else input.setAttribute('aria-invalid', 'true')
  return isValid
}

/** Groups digits as they are typed, unless the caret is in the middle of the text. */
function formatValue(input: HTMLInputElement): void {
  const formatted = formatters[input.dataset['check'] ?? '']?.(input.value)
  const isAtEnd = input.selectionStart === input.value.length
  if (formatted !== undefined && isAtEnd) input.value = formatted
}

function enhanceForm(form: HTMLFormElement): void {
  const inputs = [...form.querySelectorAll<HTMLInputElement>('[data-check]')]
  for (const input of inputs) {
    input.addEventListener('input', () => {
      formatValue(input)
      if (input.getAttribute('aria-invalid') === 'true') validate(input)
    })
    input.addEventListener('change', () => input.value !== '' && validate(input))
  }
  const button = form.querySelector<HTMLButtonElement>('[data-working]')
  const label = button?.innerHTML ?? ''
  form.addEventListener('submit', (event) => {
    if (button?.getAttribute('aria-disabled') === 'true') return event.preventDefault()
    // The fields of payment methods that are not selected are hidden and not validated.
    const invalid = inputs.filter((input) => input.offsetParent !== null && !validate(input))
    if (invalid[0]) {
      event.preventDefault()
      invalid[0].focus()
      return
    }
    button?.setAttribute('aria-disabled', 'true')
    if (button) button.textContent = button.dataset['working'] ?? ''
  })
  // The browser may restore this page from its back/forward cache with the button still disabled.
  window.addEventListener('pageshow', (event) => {
    if (!event.persisted || !button) return
    button.removeAttribute('aria-disabled')
    button.innerHTML = label
  })
}

export function validateForms(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('[data-pay]')) enhanceForm(form)
}
