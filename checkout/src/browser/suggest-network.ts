const digitsOf = (text: string): string => text.replaceAll(/\D/g, '')

/** The number without its calling code, which the field shows separately. */
function nationalOf(text: string, code: string): string {
  const plain = text.trim()
  const digits = digitsOf(plain)
  const isInternational = plain.startsWith('+') || plain.startsWith('00')
  const international = plain.startsWith('00') ? digits.slice(2) : digits
  return isInternational && code !== '' && international.startsWith(code)
    ? international.slice(code.length)
    : digits
}

function optionFor(select: HTMLSelectElement, national: string): HTMLOptionElement | undefined {
  const numbers = national.startsWith('0') ? [national, national.slice(1)] : [national]
  const matches = [...select.options].flatMap((option) =>
    (option.dataset['prefixes'] ?? '')
      .split(' ')
      .filter((prefix) => prefix !== '' && numbers.some((number) => number.startsWith(prefix)))
      .map((prefix) => ({ option, length: prefix.length })),
  )
  return matches.sort((a, b) => b.length - a.length)[0]?.option
}

/** Selects the network that the number's prefix suggests, until the payer chooses one. */
export function suggestNetwork(): void {
  const phone = document.querySelector<HTMLInputElement>('[data-phone]')
  const select = document.querySelector<HTMLSelectElement>('[data-network]')
  const hint = document.querySelector<HTMLElement>('[data-suggestion]')
  if (!phone || !select || !hint) return
  const code = digitsOf(document.querySelector('#phone-prefix')?.textContent ?? '')
  const first = select.options[0]
  const canSuggest = first?.value === ''
  let isChosen = select.value !== ''
  const suggest = (): void => {
    if (!canSuggest || isChosen) return
    const option = optionFor(select, nationalOf(phone.value, code))
    select.value = option?.value ?? ''
    hint.textContent = option ? (hint.dataset['suggestion'] ?? '') : ''
    select.dispatchEvent(new Event('input'))
  }
  phone.addEventListener('input', suggest)
  phone.addEventListener('change', () => {
    if (/^\s*(?:\+|00)/.test(phone.value)) {
      const national = nationalOf(phone.value, code)
      if (national !== digitsOf(phone.value)) phone.value = national
    }
    suggest()
  })
  select.addEventListener('change', () => {
    isChosen = select.value !== ''
    hint.textContent = ''
  })
  suggest()
}
