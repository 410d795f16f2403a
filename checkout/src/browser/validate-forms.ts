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
  email: (text) => /^\S+@\S+\.\S+$/.test(text.trim()),
  card: (text) => passesLuhn(digitsOf(text)),
  expiry: isFutureMonth,
  cvc: (text) => /^\d{3,4}$/.test(text),
  phone: (text) => digitsOf(text).length >= 7,
  otp: (text) => /^[A-Za-z0-9]{3,12}$/.test(text.trim()),
}

const shapes: Readonly<Record<string, (text: string) => string>> = {
  card: (text) =>
    digitsOf(text)
      .slice(0, 19)
      .replaceAll(/(\d{4})(?=\d)/g, '$1 '),
  expiry: (text) =>
    digitsOf(text)
      .slice(0, 6)
      .replace(/^(\d{2})(?=\d)/, '$1/'),
}

function judge(input: HTMLInputElement): boolean {
  const isGood = checks[input.dataset['check'] ?? '']?.(input.value) ?? true
  const error = document.querySelector<HTMLElement>(`#${input.id}-error`)
  if (error) error.hidden = isGood
  if (isGood) input.removeAttribute('aria-invalid')
  else input.setAttribute('aria-invalid', 'true')
  return isGood
}

/** Groups digits as they are typed; a caret in the middle is left alone. */
function shape(input: HTMLInputElement): void {
  const shaped = shapes[input.dataset['check'] ?? '']?.(input.value)
  const isAtEnd = input.selectionStart === input.value.length
  if (shaped !== undefined && isAtEnd) input.value = shaped
}

function guard(form: HTMLFormElement): void {
  const inputs = [...form.querySelectorAll<HTMLInputElement>('[data-check]')]
  for (const input of inputs) {
    input.addEventListener('input', () => {
      shape(input)
      if (input.getAttribute('aria-invalid') === 'true') judge(input)
    })
    input.addEventListener('change', () => input.value !== '' && judge(input))
  }
  const button = form.querySelector<HTMLButtonElement>('[data-working]')
  const label = button?.innerHTML ?? ''
  form.addEventListener('submit', (event) => {
    if (button?.getAttribute('aria-disabled') === 'true') return event.preventDefault()
    // The fields of the ways to pay that were not chosen are not shown, and not judged.
    const wrong = inputs.filter((input) => input.offsetParent !== null && !judge(input))
    if (wrong[0]) {
      event.preventDefault()
      wrong[0].focus()
      return
    }
    button?.setAttribute('aria-disabled', 'true')
    if (button) button.textContent = button.dataset['working'] ?? ''
  })
  // A page that the browser kept while the payer went away and came back.
  window.addEventListener('pageshow', (event) => {
    if (!event.persisted || !button) return
    button.removeAttribute('aria-disabled')
    button.innerHTML = label
  })
}

export function guardForms(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('[data-pay]')) guard(form)
}
