// Self-signed certificates, valid from 2020 to 2120. The keys are used only in tests. Created by `openssl ca -selfsign
// -startdate … -enddate …` with keys of `openssl ecparam -name prime256v1 -genkey`.

/** A certificate with its private key, as PEM text. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

const serverKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgkQtAAy6D4Xc4/dhB
yNiu6Ro+9S4OwjYbgUFmKLw6SdqhRANCAARwC+5Zp4+uQIMpFMnjHkIRmqb3zCcp
UmDanoGthOquOzxsargTnZKIXLz2DA7yStWZTLuexEHtkEcWDJnI91J7
-----END PRIVATE KEY-----
`;

/** For `localhost` and 127.0.0.1. */
export const serverCertificate: Certificate = {
  key: serverKey,
  cert: `-----BEGIN CERTIFICATE-----
MIIBVjCB/KADAgECAgEFMAoGCCqGSM49BAMCMBQxEjAQBgNVBAMMCWxvY2FsaG9z
dDAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowFDESMBAGA1UEAwwJ
bG9jYWxob3N0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEcAvuWaePrkCDKRTJ
4x5CEZqm98wnKVJg2p6BrYTqrjs8bGq4E52SiFy89gwO8krVmUy7nsRB7ZBHFgyZ
yPdSe6M9MDswGgYDVR0RBBMwEYIJbG9jYWxob3N0hwR/AAABMB0GA1UdDgQWBBRn
+HoDOv7tjHh8Z21x68wYTCQFOjAKBggqhkjOPQQDAgNJADBGAiEAuLkGvNA6d12/
donvsTINWpG5aDkctnaFk2Omw2JEfikCIQCYTec3Mmjo0/iKC4plWYAYuR/pukIT
/ctTBdCbXpPFYQ==
-----END CERTIFICATE-----
`,
};

/** A certificate like the first one, but expired at the start of 2021. */
export const expiredCertificate: Certificate = {
  key: serverKey,
  cert: `-----BEGIN CERTIFICATE-----
MIIBUzCB+qADAgECAgEBMAoGCCqGSM49BAMCMBQxEjAQBgNVBAMMCWxvY2FsaG9z
dDAeFw0yMDAxMDEwMDAwMDBaFw0yMTAxMDEwMDAwMDBaMBQxEjAQBgNVBAMMCWxv
Y2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABHAL7lmnj65AgykUyeMe
QhGapvfMJylSYNqega2E6q47PGxquBOdkohcvPYMDvJK1ZlMu57EQe2QRxYMmcj3
UnujPTA7MBoGA1UdEQQTMBGCCWxvY2FsaG9zdIcEfwAAATAdBgNVHQ4EFgQUZ/h6
Azr+7Yx4fGdtcevMGEwkBTowCgYIKoZIzj0EAwIDSAAwRQIgdLDfFodTyGhXvSTZ
GowWjNziI/sZaIksptuWj7SS/MYCIQD1LwhzuG4hkBN94eU4M9nzQAs7AIt461Ri
ke2f8Qii3w==
-----END CERTIFICATE-----
`,
};

/** A client certificate with the name `jobset-controller`. */
export const clientCertificate: Certificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgUznhxssJ+6jP5MHp
TydpWImyK7cFZzoCyLOKddEjeNKhRANCAAQqqjbzAYprkbCtjYa6I7IWq+fpR8g2
UVjVOxlkNXVHolvDbiTcb+FWgAD6WLSwh/1njT1VGr0XteuCzX/PzEZr
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBVzCB/qADAgECAgEGMAoGCCqGSM49BAMCMBwxGjAYBgNVBAMMEWpvYnNldC1j
b250cm9sbGVyMCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAcMRow
GAYDVQQDDBFqb2JzZXQtY29udHJvbGxlcjBZMBMGByqGSM49AgEGCCqGSM49AwEH
A0IABCqqNvMBimuRsK2Nhrojshar5+lHyDZRWNU7GWQ1dUeiW8NuJNxv4VaAAPpY
tLCH/WeNPVUavRe164LNf8/MRmujLzAtMAwGA1UdEwQFMAMBAf8wHQYDVR0OBBYE
FMFMZK5pEHRagixhRKBOKKzTR5SaMAoGCCqGSM49BAMCA0gAMEUCIQC/Q6KZkDNj
lcbHuNRUr/ilCqpWcf38bQdD2H6wgrTBAAIgLHXpMw3t6WSORafCWCqxxQQYJzcq
oAJPmHqpM6Yl+jA=
-----END CERTIFICATE-----
`,
};
