import { isolate } from '#shared/isolate.ts'

/** The words of the page that puts the server's own certificate on a device. */
export const en = {
  title: 'Connect to this server privately',
  lead: 'Put the certificate of this server on your device once. Then nobody in the network can read along, and the browser opens it without a warning. It counts for this network alone, and for nothing on the internet.',
  nothing: 'Nothing has to be installed on this device.',
  open: 'Open the server',
  fingerprint: 'Compare before you trust it',
  compare:
    'While you install it, the device can show the fingerprint (SHA-256). It must be this one, and the one that the office sees under Settings, Other computers and phones. If it differs, stop and tell the office.',
  check: 'Does it work?',
  checkNow: 'Check now',
  checking: 'One moment…',
  works: 'It works. From now on, open the server at this address:',
  fails:
    'Not yet: this browser does not trust the certificate. Go through the steps once more, close the browser completely, and check again.',
  tried: (url: string) => `This tries ${isolate(url)} in this browser.`,
  systems: [
    {
      id: 'windows',
      name: 'Windows',
      file: 'root.crt',
      download: 'Download for Windows',
      steps: [
        'Open the downloaded file, and click “Install Certificate…”.',
        'Choose “Local Machine”, so that it holds for everybody at this computer, and “Next”. Windows asks for permission.',
        'Choose “Place all certificates in the following store”, then “Browse…” and “Trusted Root Certification Authorities”.',
        'Click “OK”, “Next” and “Finish”.',
        'Close the browser completely and open it again.',
      ],
      notes: 'It works in Edge, Chrome and Firefox.',
    },
    {
      id: 'android',
      name: 'Android',
      file: 'root.crt',
      download: 'Download for Android',
      steps: [
        'Open the phone’s settings and search them for “CA certificate”. Mostly it stands under Security, Encryption & credentials, Install a certificate.',
        'Tap “CA certificate” and “Install anyway”. The phone wants its screen lock; without one it installs none.',
        'Choose the downloaded file.',
      ],
      notes:
        'It works in Chrome, and not in Firefox or other apps. The phone says from then on that the network may be monitored: it means this certificate.',
    },
    {
      id: 'ios',
      name: 'iPhone, iPad',
      file: 'root.mobileconfig',
      download: 'Download for iPhone and iPad',
      steps: [
        'Open this page in Safari, download the profile and tap “Allow”.',
        'Open Settings. At the top it says “Profile Downloaded”: tap it, and “Install”.',
        'Then open Settings, General, About, and at the very bottom Certificate Trust Settings. Turn the switch on beside the name of this server.',
      ],
      notes: 'Without the switch of the last step the browser goes on warning.',
    },
  ],
}

export type CaWords = typeof en
