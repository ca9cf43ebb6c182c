#!/usr/bin/env bash
# stripe 23.1.0 and @stripe/stripe-js 10.2.1 (npm): the parameter `locale` of a Checkout Session takes neither he nor ar, though
# the form fields of the same company (Elements) speak both. A server that passes the payer's language on to Checkout as it
# does to Elements is refused for Hebrew and Arabic; `auto` follows the browser. Expected: one list of languages for both.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts stripe@23.1.0 @stripe/stripe-js@10.2.1 >/dev/null
cat >try.mjs <<'JS'
import { readFileSync } from 'node:fs'
const listed = (file, head) => {
  const text = readFileSync(`node_modules/${file}`, 'utf8')
  const from = text.indexOf(head) + head.length
  const end = text.slice(from).search(/;|\n\s*\n/)
  return [...text.slice(from, from + end).matchAll(/'([a-zA-Z0-9-]+)'/g)].map(([, one]) => one)
}
const checkout = listed('stripe/esm/resources/Checkout/Sessions.d.ts', 'type Locale =')
const elements = listed('@stripe/stripe-js/dist/stripe-js/elements-group.d.ts', 'export type StripeElementLocale =')
const missing = ['he', 'ar'].filter((one) => elements.includes(one) && !checkout.includes(one))
console.log(`Checkout: ${checkout.length} languages, Elements: ${elements.length}; only Elements has ${missing.join(', ')}`)
process.exit(checkout.includes('en') && missing.length === 2 ? 0 : 1)
JS
node try.mjs
