#!/bin/sh
# Signs Fencewright.app, has Apple check it, and makes a disk image:  sh notarise.sh dist/Fencewright.app dist/NAME.dmg
# It needs Xcode's tools, and in the environment:
#   CODESIGN_IDENTITY  a certificate of the keychain, "Developer ID Application: …"
#   NOTARY_PROFILE     credentials stored by `xcrun notarytool store-credentials`
# Not run yet.
set -eu

if [ $# -ne 2 ] || [ ! -d "$1" ]; then
    echo 'usage: sh notarise.sh PROGRAM.app IMAGE.dmg' >&2
    exit 2
fi
app=$1
image=$2
here=$(CDPATH='' cd -P -- "$(dirname -- "$0")" && pwd -P)
: "${CODESIGN_IDENTITY:?is not set}" "${NOTARY_PROFILE:?is not set}"

sign() {
    codesign --force --timestamp --options runtime --sign "$CODESIGN_IDENTITY" "$@"
}

# From the inside out, since the signature of a bundle covers those of its parts.
find "$app/Contents" -type f \( -name '*.dylib' -o -name '*.so' \) -exec sh -c '
    identity=$1
    shift
    codesign --force --timestamp --options runtime --sign "$identity" "$@"
' sh "$CODESIGN_IDENTITY" {} +
# Programs: those of the areas' build, and the process of Qt WebEngine, which compiles JavaScript itself.
find "$app/Contents/Frameworks" -type f -perm -u+x ! -name '*.dylib' ! -name '*.so' | while IFS= read -r program; do
    file -b "$program" | grep -q 'Mach-O.*executable' || continue
    sign --entitlements "$here/entitlements.plist" "$program"
done
find "$app/Contents" -type d \( -name '*.framework' -o -name '*.app' \) | sort -r | while IFS= read -r bundle; do
    sign --entitlements "$here/entitlements.plist" "$bundle"
done
sign --entitlements "$here/entitlements.plist" "$app"
codesign --verify --deep --strict "$app"

rm -f "$image"
hdiutil create -volname Fencewright -srcfolder "$app" -format ULMO "$image"
codesign --force --timestamp --sign "$CODESIGN_IDENTITY" "$image"
xcrun notarytool submit "$image" --keychain-profile "$NOTARY_PROFILE" --wait
xcrun stapler staple "$image"
spctl --assess --type open --context context:primary-signature "$image"
